package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import io.millrace.metadata.image.TopicImage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Fifty-seven topics, page by page.
class PagesRestTest extends Rest {
    private static final int COUNT = 57;

    @BeforeEach
    void topics() {
        fake.remove("orders");
        fake.remove("__consumer_offsets");
        for (int i = 0; i < COUNT; i++) {
            add(name(i));
        }
    }

    private static String name(int number) {
        return String.format(Locale.ROOT, "t.%02d", number);
    }

    private void add(String name) {
        fake.add(TopicImage.of(name, UUID.nameUUIDFromBytes(name.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .with(FakeCluster.partition(0, 0)));
    }

    private JsonNode page(String url) throws Exception {
        return new JsonMapper().readTree(http.perform(request("GET", url)).andExpect(status().isOk()).andReturn()
                .getResponse().getContentAsString());
    }

    private static String next(JsonNode page) {
        return page.at("/metadata/next").asString("").replace("http://millrace.test", "");
    }

    private static List<String> names(JsonNode page) {
        return page.path("data").valueStream().map(topic -> topic.path("topic_name").asString()).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 19, 56, 57, 58, 1_000})
    void allPagesTogetherHaveEachItemOnceInOneOrder(int size) throws Exception {
        var seen = new ArrayList<String>();
        for (var url = CLUSTER + "/topics?page_size=" + size; !url.isEmpty();) {
            var page = page(url);
            assertThat(names(page)).hasSizeBetween(1, size);
            seen.addAll(names(page));
            url = next(page);
        }
        assertThat(seen).hasSize(COUNT).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void withoutASizeThereIsOnePage() throws Exception {
        var all = page(CLUSTER + "/topics");
        assertThat(names(all)).hasSize(COUNT);
        assertThat(next(all)).isEmpty();
    }

    @Test
    void whoseLastItemIsGoneGoesOnBehindIt() throws Exception {
        var first = page(CLUSTER + "/topics?page_size=10");
        fake.remove(name(9));
        fake.remove(name(20));
        add("t.09a");
        var second = page(next(first));
        assertThat(names(second)).doesNotContain(name(8)).contains(name(11)).hasSize(10);
    }

    @Test
    void behindTheEndThereIsNothing() throws Exception {
        var last = page(CLUSTER + "/topics?page_size=50");
        for (int i = 40; i < COUNT; i++) {
            fake.remove(name(i));
        }
        var beyond = page(next(last));
        assertThat(names(beyond)).isEmpty();
        assertThat(next(beyond)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1000000000", "x", "1001"})
    void sizeThatCannotBeIsRefused(String size) throws Exception {
        call("GET", "/topics?page_size=" + size).andExpect(status().isBadRequest())
                .andExpect(jsonPath("$.error_code").value(400));
    }

    @ParameterizedTest
    @CsvSource({"t.4, 10", "t.44, 1", "t, 57", ".*, 0", "t*, 0", "[, 0", "T.4, 0"})
    void searchIsLiteral(String prefix, int found) throws Exception {
        call("GET", "/topics?prefix=" + java.net.URLEncoder.encode(prefix, java.nio.charset.StandardCharsets.UTF_8))
                .andExpect(status().isOk()).andExpect(jsonPath("$.data.length()").value(found));
    }
}
