package io.millrace.admin.event;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.millrace.admin.exchange.EventStreams;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.upstream.Cluster;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequiredArgsConstructor
@Tag(name = "Clusters")
class EventController {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private final Cluster cluster;
    private final EventLog events;
    private final EventStreams streams;

    /// Which events are wanted.
    ///
    /// @param types beginnings of types; empty: all
    private record Wanted(List<String> types, @Nullable String topic) {
        boolean accepts(ClusterEvent event) {
            return (types.isEmpty() || types.stream().anyMatch(event.type()::startsWith)) && (topic == null || topic
                    .equals(event.topic()));
        }
    }

    @GetMapping(path = "/v3/clusters/{clusterId}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Operation(summary = "Follow what happens", description = "Topics, leaders, ISRs, brokers, coordinators, controllers, "
            + "settings and moves. `Last-Event-ID` goes on after that event. A reader that was too slow gets one event "
            + "`reset`, and should read again what it shows.")
    @ApiResponse(responseCode = "200", description = "Server-sent events until the reader goes", content = @Content(mediaType = "text/event-stream", schema = @Schema(type = "string")))
    @ApiResponse(responseCode = "410", ref = "#/components/responses/Gone")
    void follow(@PathVariable String clusterId,
            @Parameter(description = "Types or beginnings of types, such as `partition,broker.down`") @RequestParam(required = false) @Nullable String types,
            @RequestParam(required = false) @Nullable String topic,
            @Parameter(description = "Number of the last event that is known already") @RequestParam(required = false) @Nullable Long since,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEventId,
            HttpServletResponse response) {
        cluster.image(clusterId);
        long begin = begin(lastEventId, since);
        var wanted = new Wanted(types == null ? List.of() : Arrays.asList(types.split(",", -1)), topic);
        streams.stream(response, reader -> write(reader, begin, wanted));
    }

    private long begin(@Nullable String lastEventId, @Nullable Long since) {
        Long known = since;
        if (lastEventId != null && !lastEventId.isEmpty()) {
            if (!lastEventId.matches("\\d{1,18}")) {
                throw Problem.badRequest("'" + Problem.shown(lastEventId) + "' is not a value of Last-Event-ID");
            }
            known = Long.parseLong(lastEventId);
        }
        if (known == null) {
            return events.end();
        }
        if (!events.has(known + 1)) {
            throw Problem.gone("event " + known + " is too old, or of another run of this service");
        }
        return known + 1;
    }

    private void write(EventStreams.Reader reader, long begin, Wanted wanted) throws IOException,
            InterruptedException {
        long next = begin;
        reader.heartbeat();
        while (!Thread.currentThread().isInterrupted()) {
            var news = events.from(next, HEARTBEAT);
            if (news.isEmpty()) {
                reader.heartbeat();
                continue;
            }
            if (news.getFirst().sequence() > next) {
                reader.send(Long.toString(news.getFirst().sequence() - 1), "reset", Map.of());
            }
            for (var event : news) {
                if (wanted.accepts(event)) {
                    reader.send(Long.toString(event.sequence()), event.type(), event);
                }
            }
            next = news.getLast().sequence() + 1;
        }
    }
}
