package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.millrace.metadata.image.TopicImage;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsTopicResult;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponseCollection;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.ResultActions;

/// Records browsed, written and deleted, of a topic of one partition whose leader is a list.
class RecordsRestTest extends Rest {
    private static final String RECORDS = "/topics/lines/records";

    private final List<SimpleRecord> log = new ArrayList<>();
    private final List<AbortedTransaction> aborted = new ArrayList<>();

    @BeforeEach
    void leader() {
        fake.add(TopicImage.of("lines", new java.util.UUID(6, 6)).with(FakeCluster.partition(0, 0)));
        fake.answer(ListOffsetsRequestData.class, request -> {
            long asked = request.topics().getFirst().partitions().getFirst().timestamp();
            long offset = asked == -2 ? 0 : asked == -1 ? log.size() : firstAt(asked);
            return new ListOffsetsResponseData().setTopics(List.of(new ListOffsetsTopicResponse().setName("lines")
                    .setPartitions(List.of(new ListOffsetsPartitionResponse().setOffset(offset)))));
        });
        fake.answer(FetchRequestData.class, request -> {
            int offset = Math.toIntExact(request.topics().getFirst().partitions().getFirst().fetchOffset());
            return new FetchResponseData().setResponses(List.of(new FetchableTopicResponse().setTopic("lines")
                    .setPartitions(List.of(new PartitionData().setAbortedTransactions(aborted).setRecords(part(
                            offset))))));
        });
    }

    /// Two records an answer.
    private MemoryRecords part(int offset) {
        var part = log.subList(offset, Math.min(log.size(), offset + 2)).toArray(SimpleRecord[]::new);
        return MemoryRecords.withRecords(offset, Compression.NONE, 3, part);
    }

    private long firstAt(long timestamp) {
        for (int i = 0; i < log.size(); i++) {
            if (log.get(i).timestamp() >= timestamp) {
                return i;
            }
        }
        return -1;
    }

    private void has(long timestamp, @Nullable String key, byte @Nullable [] value, Header... headers) {
        log.add(new SimpleRecord(timestamp, key == null ? null : key.getBytes(StandardCharsets.UTF_8), value, headers));
    }

    private void has(long timestamp, String value) {
        has(timestamp, null, value.getBytes(StandardCharsets.UTF_8));
    }

    private ResultActions find(String query) throws Exception {
        return call("GET", RECORDS + "?" + query);
    }

    @Test
    void recordsAreShownAsWhatTheyAre() throws Exception {
        has(7, "k", "{\"a\":{\"b\":42}}".getBytes(StandardCharsets.UTF_8), new RecordHeader("h", new byte[]{120}));
        has(8, "text");
        has(9, null, new byte[]{(byte) 0xff, 0});
        has(10, "gone", null);

        find("").andExpect(status().isOk()).andExpect(jsonPath("$.data.length()").value(4))
                .andExpect(jsonPath("$.scanned").value(4))
                .andExpect(jsonPath("$.next_token").isEmpty())
                .andExpect(jsonPath("$.data[0].value.a.b").value(42))
                .andExpect(jsonPath("$.data[0].value_format").value("JSON"))
                .andExpect(jsonPath("$.data[0].key").value("k"))
                .andExpect(jsonPath("$.data[0].headers[0].value").value("x"))
                .andExpect(jsonPath("$.data[0].leader_epoch").value(3))
                .andExpect(jsonPath("$.data[1].value").value("text"))
                .andExpect(jsonPath("$.data[2].value").value("/wA="))
                .andExpect(jsonPath("$.data[2].value_format").value("BASE64"))
                .andExpect(jsonPath("$.data[3].value").isEmpty());
        find("format=hex").andExpect(jsonPath("$.data[2].value").value("ff00"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "from=earliest|0", "from=latest&limit=2|4", "from=offset:3|3", "from=timestamp:5|5",
            "from=timestamp:1970-01-01T00:00:00.004Z|4", "contains=line-2|2",
            "filter=offset%20%3E=%205|5", "filter=value%20~%20%22-4%22|4",
    })
    void readingBeginsWhereItWasAskedTo(String query, int first) throws Exception {
        for (int i = 0; i < 6; i++) {
            has(i, "line-" + i);
        }
        find(query).andExpect(status().isOk()).andExpect(jsonPath("$.data[0].offset").value(first));
    }

    @Test
    void filtersLookIntoJsonAndHeaders() throws Exception {
        has(0, null, "{\"id\":9,\"tags\":[\"x\"]}".getBytes(StandardCharsets.UTF_8), new RecordHeader("kind", "a"
                .getBytes(StandardCharsets.UTF_8)));
        has(1, null, "{\"id\":10}".getBytes(StandardCharsets.UTF_8), new RecordHeader("kind", "b".getBytes(
                StandardCharsets.UTF_8)));
        has(2, "no json");

        find("filter=value.id%20%3C%2010").andExpect(jsonPath("$.data.length()").value(1))
                .andExpect(jsonPath("$.data[0].offset").value(0)).andExpect(jsonPath("$.scanned").value(3));
        find("filter=value.tags.0%20==%20x%20%26%26%20headers.kind%20!=%20%22b%22").andExpect(jsonPath(
                "$.data.length()").value(1));
        find("filter=headers.kind%20!=%20a").andExpect(jsonPath("$.data.length()").value(2));
    }

    @Test
    void pageGoesOnWhereTheOneBeforeEnded() throws Exception {
        for (int i = 0; i < 5; i++) {
            has(i, "line-" + i);
        }
        var page = find("limit=3").andExpect(jsonPath("$.data.length()").value(3)).andReturn().getResponse()
                .getContentAsString();
        var token = new tools.jackson.databind.json.JsonMapper().readTree(page).path("next_token").asString();
        find("limit=3&page_token=" + token).andExpect(jsonPath("$.data.length()").value(2))
                .andExpect(jsonPath("$.data[0].offset").value(3)).andExpect(jsonPath("$.next_token").isEmpty());
    }

    @Test
    void leaderThatDoesNotAnswerIsNamedAndNothingElseIsLost() throws Exception {
        has(0, "a");
        fake.fail(FetchRequestData.class, new java.io.IOException("gone"));
        find("").andExpect(status().isOk()).andExpect(jsonPath("$.unavailable[0]").value(0));
    }

    @ParameterizedTest
    @CsvSource({"limit=0", "limit=1001", "limit=x", "from=nowhere", "from=offset:-1", "from=timestamp:noon",
            "filter=nonsense", "filter=headers%20==%20a", "format=xml", "isolation=none", "partition=9", "page_token=!",
            "timeout_ms=0"})
    void whatCannotBeAskedIsRefused(String query) throws Exception {
        var status = query.equals("partition=9") ? 404 : 400;
        find(query).andExpect(status().is(status)).andExpect(jsonPath("$.message").isNotEmpty());
    }

    private final List<String> written = new ArrayList<>();

    private void leaderTakes(Errors error) {
        fake.answer(ProduceRequestData.class, request -> {
            var data = request.topicData().iterator().next().partitionData().getFirst();
            for (Record record : ((MemoryRecords) Objects.requireNonNull(data.records())).records()) {
                written.add(text(record.hasKey() ? record.key() : null) + "=" + text(record.hasValue()
                        ? record.value()
                        : null) + "@" + record.timestamp());
            }
            var topics = new TopicProduceResponseCollection();
            topics.add(new TopicProduceResponse().setName("lines").setPartitionResponses(List.of(
                    new PartitionProduceResponse().setErrorCode(error.code()).setBaseOffset(written.size() - 1))));
            return new ProduceResponseData().setResponses(topics);
        });
    }

    private static String text(java.nio.@Nullable ByteBuffer bytes) {
        return bytes == null ? "null" : StandardCharsets.UTF_8.decode(bytes).toString();
    }

    @Test
    void recordsAreWrittenOneAfterTheOtherOfOneConnection() throws Exception {
        leaderTakes(Errors.NONE);
        var answer = call("POST", RECORDS, """
                {"key":{"type":"STRING","data":"k"},"value":{"type":"JSON","data":{"a":1}},
                 "timestamp":"1970-01-01T00:00:01Z"}
                {"value":{"type":"BINARY","data":"aGk="},"timestamp":"1970-01-01T00:00:02Z",
                 "headers":[{"name":"h","value":"aGk="}]}
                {"partition_id":0,"value":{"type":"STRING","data":5}}
                """).andExpect(status().isOk()).andReturn().getResponse().getContentAsString().lines().toList();

        assertThat(written).containsExactly("k={\"a\":1}@1000", "null=hi@2000");
        assertThat(answer).hasSize(3);
        assertThat(answer.getFirst()).contains("\"error_code\":200", "\"offset\":0", "\"partition_id\":0",
                "\"key\":{\"type\":\"STRING\",\"size\":1}", "\"timestamp\":\"1970-01-01T00:00:01Z\"");
        assertThat(answer.getLast()).contains("\"error_code\":422").doesNotContain("offset");
    }

    @Test
    void batchSaysOfEachRecordWhatBecameOfIt() throws Exception {
        leaderTakes(Errors.NONE);
        call("POST", RECORDS + ":batch", """
                {"entries":[{"id":"a","value":{"type":"STRING","data":"x"}},
                {"id":"b","value":{"type":"BINARY","data":"not base64"}}]}""").andExpect(status().is(207))
                .andExpect(jsonPath("$.successes[0].id").value("a"))
                .andExpect(jsonPath("$.successes[0].result.offset").value(0))
                .andExpect(jsonPath("$.failures[0].id").value("b"))
                .andExpect(jsonPath("$.failures[0].result.error_code").value(422));
        call("POST", RECORDS + ":batch", """
                {"entries":[{"id":"a"},{"id":"a"}]}""").andExpect(status().isBadRequest());
    }

    @Test
    void whatTheLeaderRefusesKeepsItsReason() throws Exception {
        leaderTakes(Errors.MESSAGE_TOO_LARGE);
        call("POST", RECORDS, "{\"value\":{\"type\":\"STRING\",\"data\":\"x\"}}").andExpect(status().is(413))
                .andExpect(jsonPath("$.error_code").value(413));
        call("POST", RECORDS, "").andExpect(status().isBadRequest());
        call("POST", RECORDS, "{\"timestamp\":\"noon\"}").andExpect(status().isBadRequest());
        call("POST", "/topics/none/records", "{}").andExpect(status().isNotFound());
        http.perform(request("POST", CLUSTER + RECORDS, "x").contentType(MediaType.TEXT_PLAIN))
                .andExpect(status().isUnsupportedMediaType());
    }

    @Test
    void oldestRecordsAreDeletedByOffsetOrTime() throws Exception {
        has(10, "a");
        has(20, "b");
        var asked = new ArrayList<Long>();
        fake.answer(DeleteRecordsRequestData.class, request -> {
            long offset = request.topics().getFirst().partitions().getFirst().offset();
            asked.add(offset);
            var answer = new DeleteRecordsResponseData();
            var topic = new DeleteRecordsTopicResult().setName("lines");
            topic.partitions().add(new DeleteRecordsPartitionResult().setLowWatermark(offset));
            answer.topics().add(topic);
            return answer;
        });
        var path = "/topics/lines/partitions/0/records:delete";
        call("POST", path, "{\"before_offset\":1}").andExpect(status().isOk())
                .andExpect(jsonPath("$.low_watermark").value(1));
        call("POST", path, "{\"before_timestamp\":15}").andExpect(status().isOk());
        call("POST", path, "{}").andExpect(status().isBadRequest());

        assertThat(asked).containsExactly(1L, 1L);
    }
}
