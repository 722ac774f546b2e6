package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.io.IOException;
import java.util.List;
import java.util.UUID;

import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.message.ApiVersionsResponseData.FinalizedFeatureKey;
import org.apache.kafka.common.message.ApiVersionsResponseData.FinalizedFeatureKeyCollection;
import org.apache.kafka.common.message.ApiVersionsResponseData.SupportedFeatureKey;
import org.apache.kafka.common.message.ApiVersionsResponseData.SupportedFeatureKeyCollection;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsTopic;
import org.junit.jupiter.api.Test;

/// The cluster as a whole, its nodes, and what lies on brokers' disks.
class ClusterRestTest extends Rest {

    private void has(PartitionImage partition) {
        fake.add(TopicImage.of("t", new UUID(6, 6)).with(partition));
    }

    private static PartitionImage partition(List<Integer> replicas, List<Integer> isr, int leader) {
        return new PartitionImage(0, replicas, isr, List.of(), List.of(), leader, 3, 4);
    }

    @Test
    void healthSaysWhatIsWrongAndWhere() throws Exception {
        call("GET", "/health").andExpect(status().isOk()).andExpect(jsonPath("$.status").value("CRITICAL"))
                .andExpect(jsonPath("$.leaderless").value(1))
                .andExpect(jsonPath("$.controller_present").value(true))
                .andExpect(jsonPath("$.reasons[0].message").value("orders-1 has no leader"))
                .andExpect(jsonPath("$.reasons[0].related").value(SELF + "/topics/orders/partitions/1"));
        fake.add(TopicImage.of("orders", FakeCluster.ORDERS).with(FakeCluster.partition(0, 0)));
        call("GET", "/health").andExpect(jsonPath("$.status").value("OK")).andExpect(jsonPath("$.reasons").isEmpty());
        has(partition(List.of(0, 1), List.of(0), 0));
        call("GET", "/health").andExpect(jsonPath("$.status").value("DEGRADED"))
                .andExpect(jsonPath("$.under_replicated").value(1)).andExpect(jsonPath("$.at_min_isr").value(1));
    }

    @Test
    void restartCheckNamesWhatWouldStop() throws Exception {
        fake.add(TopicImage.of("orders", FakeCluster.ORDERS).with(partition(List.of(0, 1), List.of(1), 1)));
        call("GET", "/brokers/0/restart-check").andExpect(status().isOk())
                .andExpect(jsonPath("$.safe").value(false))
                .andExpect(jsonPath("$.not_caught_up[0].topic_name").value("orders"))
                .andExpect(jsonPath("$.would_be_offline[0].topic_name").value("__consumer_offsets"));
        call("GET", "/brokers/9/restart-check").andExpect(status().isNotFound());
    }

    @Test
    void brokerSaysWhatItHolds() throws Exception {
        call("GET", "/brokers/0").andExpect(jsonPath("$.leader_count").value(2))
                .andExpect(jsonPath("$.replica_count").value(3))
                .andExpect(jsonPath("$.listeners[0].security_protocol").value("PLAINTEXT"));
    }

    @Test
    void coordinatorsHaveTheirShardsAndControllersTheirRole() throws Exception {
        call("GET", "/coordinators").andExpect(jsonPath("$.data[0].coordinator_id").value(1000))
                .andExpect(jsonPath("$.data[0].shards[0]").value(0));
        call("GET", "/coordinators/1000").andExpect(status().isOk());
        call("GET", "/coordinators/1001").andExpect(status().isNotFound());
        call("GET", "/coordinators/1001/groups").andExpect(status().isNotFound());
        call("GET", "/controllers").andExpect(status().isOk());
    }

    @Test
    void apisAndFeaturesAreThoseOfEachNodeThatAnswers() throws Exception {
        fake.answer(ApiVersionsRequestData.class, _ -> {
            var apis = new ApiVersionCollection();
            apis.add(new ApiVersion().setApiKey((short) 1).setMinVersion((short) 4).setMaxVersion((short) 17));
            var supported = new SupportedFeatureKeyCollection();
            supported.add(new SupportedFeatureKey().setName("group.version").setMaxVersion((short) 1));
            var finalized = new FinalizedFeatureKeyCollection();
            finalized.add(new FinalizedFeatureKey().setName("group.version").setMaxVersionLevel((short) 1));
            return new ApiVersionsResponseData().setApiKeys(apis).setSupportedFeatures(supported)
                    .setFinalizedFeatures(finalized);
        });
        call("GET", "/api-versions").andExpect(jsonPath("$.data.length()").value(2))
                .andExpect(jsonPath("$.data[0].apis[0].name").value("Fetch"))
                .andExpect(jsonPath("$.data[0].apis[0].max").value(17));
        call("GET", "/features").andExpect(jsonPath("$.data[0].name").value("group.version"))
                .andExpect(jsonPath("$.data[0].finalized").value(1))
                .andExpect(jsonPath("$.data[0].supported['BROKER-0'].max").value(1));
        fake.fail(ApiVersionsRequestData.class, new IOException("gone"));
        call("GET", "/api-versions").andExpect(status().isOk()).andExpect(jsonPath("$.data[0].apis").isEmpty());
    }

    @Test
    void logDirectoriesSayWhatLiesInThem() throws Exception {
        fake.answer(DescribeLogDirsRequestData.class, _ -> new DescribeLogDirsResponseData().setResults(List.of(
                new DescribeLogDirsResult().setLogDir("/a").setTotalBytes(100).setTopics(List.of(
                        new DescribeLogDirsTopic().setName("orders").setPartitions(List.of(
                                new DescribeLogDirsPartition().setPartitionSize(7))))), new DescribeLogDirsResult()
                                        .setLogDir("/b").setErrorCode((short) 56))));
        call("GET", "/brokers/0/log-dirs").andExpect(jsonPath("$.data.length()").value(2))
                .andExpect(jsonPath("$.data[0].total_bytes").value(100))
                .andExpect(jsonPath("$.data[0].usable_bytes").isEmpty())
                .andExpect(jsonPath("$.data[0].replicas[0].size").value(7))
                .andExpect(jsonPath("$.data[1].state").value("OFFLINE"));
        call("GET", "/log-dirs?topic=none").andExpect(jsonPath("$.data[0].replicas").isEmpty());
        fake.fail(DescribeLogDirsRequestData.class, new IOException("gone"));
        call("GET", "/log-dirs").andExpect(status().isOk()).andExpect(jsonPath("$.data").isEmpty());
        call("GET", "/brokers/0/log-dirs").andExpect(status().isServiceUnavailable());
    }

    @Test
    void documentOfAnUnknownClusterIsNotGuessed() throws Exception {
        for (var path : List.of("/health", "/controllers", "/coordinators", "/api-versions", "/features", "/log-dirs",
                "/events")) {
            var answer = http.perform(request("GET", "/v3/clusters/other" + path)).andReturn().getResponse();
            assertThat(answer.getStatus()).as(path).isEqualTo(404);
        }
    }
}
