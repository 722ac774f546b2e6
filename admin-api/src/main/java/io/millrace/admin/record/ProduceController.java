package io.millrace.admin.record;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

import io.millrace.admin.problem.Problem;
import io.millrace.admin.problem.ProblemHandler;
import io.millrace.admin.record.ProduceRequest.RecordData;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Produces;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.Validator;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Records written by JSON: one, several at once, or as many as a connection brings.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/topics/{topicName}", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Records")
class ProduceController {
    private static final int MOST_ENTRIES = 50;

    private final Cluster cluster;
    private final Produces produces;
    private final JsonMapper json;
    private final Validator validator;
    private final Clock clock = Clock.systemUTC();

    ProduceController(Cluster cluster, Produces produces, JsonMapper json, Validator validator) {
        this.cluster = cluster;
        this.produces = produces;
        this.json = json;
        this.validator = validator;
    }

    /// @param entries each of them written or refused for itself
    @Schema(example = """
            {"entries": [{"id": "1", "value": {"type": "STRING", "data": "hello"}}]}""")
    record BatchRequest(@NotEmpty @Size(max = MOST_ENTRIES) List<@NotNull @Valid Entry> entries) {

        /// @param id says which outcome is whose
        record Entry(@NotBlank @Size(max = 80) String id, @Nullable Integer partitionId,
                @Nullable @Size(max = 1_000) List<ProduceRequest.@NotNull @Valid RecordHeaderData> headers,
                @Nullable @Valid RecordData key, @Nullable @Valid RecordData value, @Nullable String timestamp) {

            ProduceRequest request() {
                return new ProduceRequest(partitionId, headers, key, value, timestamp);
            }
        }
    }

    record BatchAnswer(List<Outcome> successes, List<Outcome> failures) {
        record Outcome(String id, ProducedRecord result) {}
    }

    @PostMapping("/records")
    @Operation(summary = "Write records", description = "One JSON object, or as many after each other as one connection brings; "
            + "each is answered on a line of its own once all replicas in sync have it.")
    @io.swagger.v3.oas.annotations.parameters.RequestBody(required = true, content = @Content(mediaType = "application/json", schema = @Schema(implementation = ProduceRequest.class)))
    @ApiResponse(responseCode = "200", description = "Written", content = @Content(mediaType = "application/json", schema = @Schema(implementation = ProducedRecord.class)))
    @ApiResponse(responseCode = "413", ref = "#/components/responses/TooLarge")
    @ApiResponse(responseCode = "422", ref = "#/components/responses/Unprocessable")
    void write(@PathVariable String clusterId, @PathVariable String topicName, HttpServletRequest request,
            HttpServletResponse response) throws IOException {
        cluster.topic(clusterId, topicName);
        if (request.getContentType() == null || !MediaType.APPLICATION_JSON.includes(MediaType.parseMediaType(request
                .getContentType()))) {
            throw Problem.unsupportedMedia("Content-Type is application/json");
        }
        int written = 0;
        try (var values = json.readerFor(ProduceRequest.class).<ProduceRequest>readValues((InputStream) request
                .getInputStream())) {
            while (values.hasNextValue()) {
                var record = checked(values.nextValue());
                say(Cluster.join(send(clusterId, topicName, record)), response);
                written++;
            }
            if (written == 0) {
                throw Problem.badRequest("the body has no record");
            }
        } catch (JacksonException | Problem failure) {
            // Once something is answered, the rest is told in the same way; nothing more is read.
            var problem = failure instanceof Problem said
                    ? said
                    : Problem.badRequest("the body is not the JSON that this call takes" + ProblemHandler.place(
                            (JacksonException) failure));
            if (written == 0) {
                throw problem;
            }
            say(ProducedRecord.refused(problem.body()), response);
        }
    }

    private void say(ProducedRecord outcome, HttpServletResponse response) throws IOException {
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        response.getOutputStream().write((json.writeValueAsString(outcome) + "\n").getBytes(StandardCharsets.UTF_8));
        response.flushBuffer();
    }

    private ProduceRequest checked(@Nullable ProduceRequest request) {
        if (request == null) {
            throw Problem.badRequest("a record is an object");
        }
        validator.validate(request).stream().findFirst().ifPresent(problem -> {
            throw Problem.badRequest(problem.getPropertyPath() + " " + problem.getMessage());
        });
        return request;
    }

    @PostMapping("/records:batch")
    @Operation(summary = "Write several records", description = "At most " + MOST_ENTRIES + ".")
    @ApiResponse(responseCode = "207", description = "What became of each", useReturnTypeSchema = true)
    ResponseEntity<BatchAnswer> batch(@PathVariable String clusterId, @PathVariable String topicName,
            @Valid @RequestBody BatchRequest request) {
        cluster.topic(clusterId, topicName);
        if (request.entries().stream().map(BatchRequest.Entry::id).distinct().count() < request.entries().size()) {
            throw Problem.badRequest("entries names an id twice");
        }
        var sent = request.entries().stream().map(entry -> sendOrFail(clusterId, topicName, entry.request())).toList();
        var answer = new BatchAnswer(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < sent.size(); i++) {
            var id = request.entries().get(i).id();
            try {
                answer.successes.add(new BatchAnswer.Outcome(id, Cluster.join(sent.get(i))));
            } catch (RuntimeException failure) {
                answer.failures.add(new BatchAnswer.Outcome(id, ProducedRecord.refused(ProblemHandler.problem(failure,
                        "records:batch").body())));
            }
        }
        return ResponseEntity.status(207).body(answer);
    }

    private CompletableFuture<ProducedRecord> sendOrFail(String clusterId, String topic, ProduceRequest request) {
        try {
            return send(clusterId, topic, request);
        } catch (Problem problem) {
            return CompletableFuture.failedFuture(problem);
        }
    }

    private CompletableFuture<ProducedRecord> send(String clusterId, String topic, ProduceRequest request) {
        var record = request.record(clock.millis());
        var partition = new TopicPartition(topic, partition(clusterId, topic, request, record));
        return produces.write(partition, record).thenApply(written -> ProducedRecord.written(clusterId, topic, partition
                .partition(), written.offset(), written.timestamp() < 0 ? record.timestamp() : written.timestamp(),
                data(request.key(), record.key()), data(request.value(), record.value())));
    }

    private static ProducedRecord.@Nullable Data data(@Nullable RecordData given, java.nio.@Nullable ByteBuffer bytes) {
        return given == null || bytes == null ? null : new ProducedRecord.Data(given.shownType(), bytes.remaining());
    }

    /// As Kafka's clients choose it: by the hash of the key; without one, any that is led.
    private int partition(String clusterId, String topic, ProduceRequest request, SimpleRecord record) {
        if (request.partitionId() != null) {
            return cluster.partition(clusterId, topic, request.partitionId()).partition();
        }
        var partitions = cluster.topic(clusterId, topic).partitions();
        var key = record.key();
        if (key != null) {
            return Utils.toPositive(Utils.murmur2(Utils.toArray(key.duplicate()))) % partitions.size();
        }
        var led = partitions.stream().filter(partition -> partition.hasLeader()).toList();
        return led.isEmpty() ? 0 : led.get(ThreadLocalRandom.current().nextInt(led.size())).partition();
    }
}
