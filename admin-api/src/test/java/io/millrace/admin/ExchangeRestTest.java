package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.matchesPattern;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.TopicOutcome;
import io.millrace.metadata.image.TopicImage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Freshness, repeats, pages, and what is refused of every body.
class ExchangeRestTest extends Rest {
    private static final String NEW_TOPIC = "{\"topic_name\":\"new\",\"partitions_count\":1}";

    private void creates() {
        fake.answer(CreateTopics.class, command -> {
            fake.add(TopicImage.of("new", new UUID(5, 5)).with(FakeCluster.partition(0, 0)));
            return new CreateTopics.Result(List.of(new TopicOutcome("new", new UUID(5, 5), (short) 0, null, 1, 1)));
        });
    }

    @Test
    void everyAnswerSaysByWhichTraceItIsFoundAndACallersOwnIsKept() throws Exception {
        var trace = "0af7651916cd43dd8448eb211c80319c";

        http.perform(request("GET", CLUSTER + "/topics").header("traceparent", "00-" + trace + "-b7ad6b7169203331-00"))
                .andExpect(header().string("X-Trace-Id", trace));
        http.perform(request("GET", CLUSTER + "/topics/none").header("traceparent", "00-" + trace
                + "-b7ad6b7169203331-01")).andExpect(status().isNotFound())
                .andExpect(header().string("X-Trace-Id", trace));
        call("GET", "/topics").andExpect(header().string("X-Trace-Id", matchesPattern("[0-9a-f]{32}")));
    }

    @Test
    void everyAnswerSaysHowFreshItIs() throws Exception {
        call("GET", "/topics").andExpect(header().string("X-Metadata-Offset", "30"))
                .andExpect(header().string("X-Metadata-Age-Ms", "0"));
        call("GET", "/topics?min_offset=30").andExpect(status().isOk());
        call("GET", "/topics?min_offset=x").andExpect(status().isBadRequest())
                .andExpect(jsonPath("$.error_code").value(400));
    }

    @Test
    void sameWriteUnderTheSameKeyIsDoneOnceAndAnsweredTheSame() throws Exception {
        creates();
        var first = http.perform(request("POST", CLUSTER + "/topics", NEW_TOPIC).header("Idempotency-Key", "k1"))
                .andExpect(status().isCreated()).andReturn().getResponse();

        http.perform(request("POST", CLUSTER + "/topics", NEW_TOPIC).header("Idempotency-Key", "k1"))
                .andExpect(status().isCreated())
                .andExpect(header().string("Idempotency-Replayed", "true"))
                .andExpect(header().string("Location", SELF + "/topics/new"))
                .andExpect(content().string(first.getContentAsString()));

        assertThat(fake.commands).hasSize(1);
        http.perform(request("POST", CLUSTER + "/topics", "{\"topic_name\":\"other\"}").header("Idempotency-Key",
                "k1")).andExpect(status().isConflict()).andExpect(jsonPath("$.error_code").value(40902));
        http.perform(request("DELETE", CLUSTER + "/topics/orders").header("Idempotency-Key", " "))
                .andExpect(status().isBadRequest());
    }

    @Test
    void faultIsNotRememberedSinceItsRepeatMaySucceed() throws Exception {
        fake.answer(CreateTopics.class, _ -> new CreateTopics.Result(List.of(TopicOutcome.refused("new", null,
                Errors.NOT_CONTROLLER.code(), null))));
        http.perform(request("POST", CLUSTER + "/topics", NEW_TOPIC).header("Idempotency-Key", "k2"))
                .andExpect(status().isServiceUnavailable());

        creates();
        http.perform(request("POST", CLUSTER + "/topics", NEW_TOPIC).header("Idempotency-Key", "k2"))
                .andExpect(status().isCreated());
    }

    @Test
    void pagesShowEveryItemOnceThoughOthersComeAndGo() throws Exception {
        for (var name : List.of("a", "c", "e")) {
            fake.add(TopicImage.of(name, UUID.randomUUID()).with(FakeCluster.partition(0, 0)));
        }
        var seen = new ArrayList<String>();
        var next = CLUSTER + "/topics?page_size=2";
        while (!next.isEmpty()) {
            var page = new JsonMapper().readTree(http.perform(request("GET", next)).andExpect(status().isOk())
                    .andReturn().getResponse().getContentAsString());
            page.path("data").forEach(topic -> seen.add(topic.path("topic_name").asString()));
            next = page.path("metadata").path("next").asString("").replace("http://millrace.test", "");
            fake.add(TopicImage.of("Z", new UUID(8, 8)).with(FakeCluster.partition(0, 0)));
        }

        assertThat(seen).containsExactly("__consumer_offsets", "a", "c", "e", "orders");
    }

    @ParameterizedTest
    @ValueSource(strings = {"page_size=0", "page_size=1001", "page_size=x", "page_token=!", "page_token=eHg"})
    void pageThatCannotBeIsRefused(String query) throws Exception {
        call("GET", "/topics?" + query).andExpect(status().isBadRequest())
                .andExpect(jsonPath("$.error_code").value(400));
    }

    @Test
    void itemsHaveTheFieldsThatWereAskedFor() throws Exception {
        call("GET", "/topics?fields=topic_name,partitions_count&page_size=1")
                .andExpect(jsonPath("$.data.length()").value(1))
                .andExpect(jsonPath("$.data[0].partitions_count").value(1))
                .andExpect(jsonPath("$.data[0].metadata.self").exists())
                .andExpect(jsonPath("$.data[0].replication_factor").doesNotExist());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "/topics         | {\"topic_name\":5}",
            "/topics         | {\"topic_name\":\"a\",\"partitions_count\":\"3\"}",
            "/topics         | {\"topic_name\":\"a\",\"partitions_count\":3.5}",
            "/topics         | {\"topic_name\":\"a\",\"partitions_count\":99999999999}",
            "/topics         | {\"topic_name\":\"a\",\"validate_only\":\"true\"}",
            "/topics         | {\"topic_name\":\"a\"} {}",
            "/topics         | {\"topic_name\":\"a\",\"topic_name\":\"b\"}",
            "/reassignments  | {\"partitions\":[{\"topic_name\":\"orders\",\"partition_id\":0,\"replicas\":[\"0\"]}]}",
            "/reassignments  | {\"partitions\":[{\"topic_name\":\"orders\",\"partition_id\":\"0\",\"replicas\":[0]}]}",
            "/leader-elections | {\"election_type\":0}",
    })
    void textIsNoNumberAndNumberIsNoText(String path, String body) throws Exception {
        call("POST", path, body).andExpect(status().isBadRequest()).andExpect(jsonPath("$.error_code").value(400));
        assertThat(fake.commands).isEmpty();
    }

    /// Of every call that takes a body, as the document has them: other fields, other types, no JSON at all.
    @Test
    void badBodiesOfEveryCallAreRefusedInOneShape() throws Exception {
        var document = new JsonMapper().readTree(http.perform(request("GET", "/openapi")).andReturn().getResponse()
                .getContentAsString());
        var tried = new ArrayList<String>();
        for (var path : document.path("paths").properties()) {
            for (var method : path.getValue().properties()) {
                var schema = method.getValue().path("requestBody").path("content").path("application/json").path(
                        "schema").path("$ref").asString("");
                if (!schema.isEmpty()) {
                    refusesBadBodies(method.getKey().toUpperCase(java.util.Locale.ROOT), path.getKey(), document.at(
                            schema.substring(1)));
                    tried.add(schema);
                }
            }
        }
        assertThat(tried).hasSizeGreaterThan(8);
        assertThat(fake.commands).isEmpty();
    }

    private void refusesBadBodies(String verb, String template, JsonNode schema) throws Exception {
        var path = template.replace("{clusterId}", FakeCluster.ID).replace("{topicName}", "orders")
                .replace("{brokerId}", "0").replace("{name}", "retention.ms").replaceAll("\\{[^}]+}", "0");
        refuses(verb, path, "{");
        refuses(verb, path, "[]");
        refuses(verb, path, "\"x\"");
        refuses(verb, path, "{\"no_such_field\":1}");
        for (var property : schema.path("properties").properties()) {
            boolean isText = property.getValue().path("type").asString("").equals("string");
            refuses(verb, path, "{\"%s\":%s}".formatted(property.getKey(), isText ? "7" : "\"seven\""));
            refuses(verb, path, "{\"%s\":{\"no_such_field\":1}}".formatted(property.getKey()));
        }
    }

    private void refuses(String verb, String path, String body) throws Exception {
        var answer = http.perform(request(verb, path, body)).andReturn().getResponse();
        assertThat(answer.getStatus()).as(verb + " " + path + " " + body).isEqualTo(400);
        var problem = new JsonMapper().readTree(answer.getContentAsString());
        assertThat(problem.path("error_code").asInt()).isEqualTo(400);
        assertThat(problem.path("message").asString()).isNotBlank().doesNotContain("Exception", "java.", "tools.");
    }
}
