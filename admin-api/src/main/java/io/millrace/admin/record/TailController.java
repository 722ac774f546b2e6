package io.millrace.admin.record;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;

import io.millrace.admin.exchange.EventStreams;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Fetches;
import io.millrace.admin.upstream.GroupOffsets;
import io.millrace.admin.upstream.Offsets;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Records as they come.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/topics/{topicName}")
@Tag(name = "Records")
class TailController {
    private static final Duration WAIT = Duration.ofMillis(500);
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final int FASTEST = 10_000;
    private static final long SECOND_MILLIS = 1_000;

    private final Cluster cluster;
    private final Fetches fetches;
    private final Browse browse;
    private final EventStreams streams;

    TailController(Cluster cluster, Fetches fetches, Offsets offsets, EventStreams streams) {
        this.cluster = cluster;
        this.fetches = fetches;
        this.browse = new Browse(fetches, offsets);
        this.streams = streams;
    }

    /// What is wanted of each record.
    private record Wanted(RecordFilter filter, Format format, boolean committed, int maxRate) {}

    @GetMapping(path = "/records:tail", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Operation(summary = "Follow a topic", description = "One event a record from now on, or from `from`; at most `max_rate` a "
            + "second. The id of an event is where its partitions are, so `Last-Event-ID` goes on there.")
    void tail(@PathVariable String clusterId, @PathVariable String topicName,
            @RequestParam(required = false) @Nullable Integer partition,
            @RequestParam(defaultValue = "end") String from,
            @RequestParam(required = false) @Nullable String key,
            @RequestParam(required = false) @Nullable String contains,
            @RequestParam(required = false) @Nullable String filter,
            @RequestParam(defaultValue = "auto") String format,
            @RequestParam(defaultValue = "read_committed") String isolation,
            @RequestParam(name = "max_rate", defaultValue = "100") int maxRate,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEventId,
            HttpServletResponse response) {
        if (maxRate < 1 || maxRate > FASTEST) {
            throw Problem.badRequest("max_rate is a number from 1 to " + FASTEST);
        }
        var wanted = new Wanted(RecordFilter.of(key, contains, filter), Format.named(format), RecordController
                .committed(isolation), maxRate);
        var partitions = partition == null
                ? IntStream.range(0, cluster.topic(clusterId, topicName).partitions().size()).mapToObj(
                        number -> new TopicPartition(topicName, number)).toList()
                : java.util.List.of(new TopicPartition(topicName, cluster.partition(clusterId, topicName, partition)
                        .partition()));
        var begin = lastEventId == null || lastEventId.isEmpty()
                ? browse.begin(partitions, from.equals("end") ? "latest" : from, 0)
                : Browse.positions(topicName, lastEventId);
        var positions = GroupOffsets.<Long>ordered();
        positions.putAll(begin);
        streams.stream(response, reader -> follow(reader, positions, wanted));
    }

    private void follow(EventStreams.Reader reader, Map<TopicPartition, Long> positions, Wanted wanted)
            throws IOException, InterruptedException {
        long heard = System.nanoTime();
        var topic = positions.isEmpty() ? "" : positions.keySet().iterator().next().topic();
        while (!Thread.currentThread().isInterrupted() && cluster.image().topic(topic).isPresent()) {
            var parts = fetches.fetch(positions, WAIT, wanted.committed);
            int sent = 0;
            boolean stuck = true;
            for (var entry : parts.entrySet()) {
                sent += send(reader, entry.getKey(), entry.getValue(), positions, wanted);
                stuck &= entry.getValue().error() != Errors.NONE;
            }
            if (sent > 0) {
                heard = System.nanoTime();
            } else if (System.nanoTime() - heard > HEARTBEAT.toNanos()) {
                reader.heartbeat();
                heard = System.nanoTime();
            }
            if (stuck) {
                Thread.sleep(WAIT);
            }
        }
    }

    private static int send(EventStreams.Reader reader, TopicPartition partition, Fetches.Part part,
            Map<TopicPartition, Long> positions, Wanted wanted) throws IOException, InterruptedException {
        if (part.error() == Errors.OFFSET_OUT_OF_RANGE && part.logStart() >= 0) {
            positions.put(partition, part.logStart());
            return 0;
        }
        int sent = 0;
        for (var read : part.records()) {
            positions.put(partition, read.record().offset() + 1);
            if (wanted.filter.accepts(partition, read.record())) {
                reader.send(String.valueOf(Browse.token(positions)), "record", KafkaRecord.of(partition, read,
                        wanted.format));
                sent++;
                Thread.sleep(SECOND_MILLIS / wanted.maxRate);
            }
        }
        positions.put(partition, part.next());
        return sent;
    }
}
