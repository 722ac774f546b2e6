package io.millrace.metadata.znode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;
import io.millrace.metadata.image.EligibleReplica;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.ShardImage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Contents of the znodes against Kafka's own text.
class ZnodesTextTest {
    private static final UUID ID = UUID.fromString("7d3ba402-3d3e-4a5c-9c1c-51a5c0ffee00");
    private static final String ID_TEXT = "fTukAj0-SlycHFGlwP_uAA";

    @Test
    void idsAreTwentyTwoCharactersOfBase64Url() {
        assertThat(TopicIds.text(ID)).isEqualTo(ID_TEXT);
        assertThat(TopicIds.parse(ID_TEXT)).isEqualTo(ID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "fTukAj0-SlycHFGlwP_uAAAA", "fTukAj0+SlycHFGlwP/uAA", "*"})
    void whatIsNoIdIsMalformed(String text) {
        assertThatThrownBy(() -> TopicIds.parse(text)).isInstanceOf(MalformedZnode.class).hasMessageContaining(text);
    }

    @Test
    void clusterIdHasAStringForItsVersion() {
        var json = "{\"version\":\"1\",\"id\":\"" + ID_TEXT + "\"}";
        assertThat(ClusterIdNode.parse(json)).isEqualTo(new ClusterIdNode(ID_TEXT));
        assertThat(new ClusterIdNode(ID_TEXT).json()).isEqualTo(json);
    }

    @Test
    void brokerIsWrittenAtVersionFive() {
        var json = """
                {"version":5,"host":"h","port":9092,"endpoints":["PLAINTEXT://h:9092","EXT://[::1]:9094"],\
                "listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT","EXT":"SASL_SSL"},"rack":"a",\
                "jmx_port":-1,"timestamp":"1700000000000","features":{}}""";
        var broker = new BrokerRegistration(List.of(new Endpoint("PLAINTEXT", "PLAINTEXT", "h", 9092),
                new Endpoint("EXT", "SASL_SSL", "::1", 9094)), "a", 1_700_000_000_000L);

        assertThat(broker.json()).isEqualTo(json);
        assertThat(BrokerRegistration.parse(json)).isEqualTo(broker);
        assertThat(broker.node(3, 77, NodeState.FENCED).endpoint("EXT").orElseThrow().port()).isEqualTo(9094);
    }

    @Test
    void brokerWithoutPlaintextListenerHasNoHostButTheKeys() {
        var broker = new BrokerRegistration(List.of(new Endpoint("EXT", "SSL", "h", 1)), null, 5);

        assertThat(broker.json()).startsWith("{\"version\":5,\"host\":null,\"port\":-1,").doesNotContain("rack");
        assertThat(BrokerRegistration.parse(broker.json())).isEqualTo(broker);
    }

    @Test
    void brokerOfAnOldToolIsReadByHostAndPort() {
        var broker = BrokerRegistration.parse("{\"jmx_port\":-1,\"host\":\"old\",\"port\":9092,\"version\":1}");

        assertThat(broker.endpoints()).containsExactly(new Endpoint("PLAINTEXT", "PLAINTEXT", "old", 9092));
    }

    @Test
    void serviceSaysWhereItListensAndWhatItRuns() {
        var json = """
                {"version":1,"id":1000,"host":"h","port":9095,"endpoints":["PLAINTEXT://h:9095"],\
                "listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"http":"http://h:8081",\
                "software":"0.1.0","timestamp":"17"}""";
        var service = new ServiceRegistration(1000, "h", 9095,
                List.of(new Endpoint("PLAINTEXT", "PLAINTEXT", "h", 9095)), null, "http://h:8081", "0.1.0", 17);

        assertThat(service.json()).isEqualTo(json);
        assertThat(ServiceRegistration.parse(json)).isEqualTo(service);
    }

    @Test
    void controllerIsReadAtBothVersionsAndWrittenAtTheSecond() {
        assertThat(ControllerNode.parse("{\"version\":1,\"brokerid\":1,\"timestamp\":\"1700000000000\"}"))
                .isEqualTo(new ControllerNode(1, 1_700_000_000_000L));
        assertThat(new ControllerNode(1, 1_700_000_000_000L).json()).isEqualTo(
                "{\"version\":2,\"brokerid\":1,\"timestamp\":\"1700000000000\",\"kraftControllerEpoch\":-1}");
    }

    @Test
    void controllerEpochIsABareNumber() {
        assertThat(ControllerEpochNode.parse("7").text()).isEqualTo("7");
        assertThatThrownBy(() -> ControllerEpochNode.parse("{}")).isInstanceOf(MalformedZnode.class);
    }

    @Test
    void topicIsWrittenAtVersionThree() {
        var json = """
                {"version":3,"topic_id":"%s","partitions":{"0":[1,2,3],"1":[2,3,1]},\
                "adding_replicas":{"0":[4]},"removing_replicas":{"0":[1]}}""".formatted(ID_TEXT);
        var topic = new TopicNode(ID, new TreeMap<>(Map.of(0, List.of(1, 2, 3), 1, List.of(2, 3, 1))),
                new TreeMap<>(Map.of(0, List.of(4))), new TreeMap<>(Map.of(0, List.of(1))), Map.of());

        assertThat(topic.json()).isEqualTo(json);
        assertThat(TopicNode.parse(json)).isEqualTo(topic);
    }

    @Test
    void topicOfAnOldToolLacksTheIdAndGetsItBack() {
        var old = TopicNode.parse("{\"version\":1,\"partitions\":{\"10\":[1],\"0\":[1],\"1\":[1],\"2\":[1],\"3\":[1],"
                + "\"4\":[1],\"5\":[1],\"6\":[1],\"7\":[1],\"8\":[1],\"9\":[1]},\"owner\":\"x\"}");

        assertThat(old.topicId()).isEmpty();
        assertThat(old.json()).startsWith("{\"version\":2,\"partitions\":{\"0\":[1],");
        assertThat(old.identified(ID).json()).startsWith("{\"version\":3,\"topic_id\":\"" + ID_TEXT + "\"")
                .endsWith("\"10\":[1]},\"adding_replicas\":{},\"removing_replicas\":{},\"owner\":\"x\"}");
    }

    @Test
    void partitionStateKeepsWhatItDoesNotKnow() {
        var json = """
                {"version":1,"leader":1,"leader_epoch":4,"controller_epoch":7,"isr":[1,2,3],\
                "leader_recovery_state":1,"later":{"a":[1]}}""";

        var state = PartitionStateNode.parse(json);

        assertThat(state.recovering()).isTrue();
        assertThat(state.json()).isEqualTo(json);
        assertThat(new PartitionStateNode(-1, 0, 1, List.of(2)).json()).isEqualTo(
                "{\"version\":1,\"leader\":-1,\"leader_epoch\":0,\"controller_epoch\":1,\"isr\":[2]}");
    }

    @Test
    void partitionStateNamesTheLivesOfThoseThatCouldLead() {
        var json = """
                {"version":1,"leader":1,"leader_epoch":4,"controller_epoch":7,"isr":[1],\
                "eligible_leader_replicas":{"3":"a","2":"b"}}""";

        var state = new PartitionStateNode(1, 4, 7, List.of(1), List.of(new EligibleReplica(3, "a"),
                new EligibleReplica(2,
                        "b")));

        assertThat(state.json()).isEqualTo(json);
        assertThat(PartitionStateNode.parse(json)).isEqualTo(state);
        assertThatThrownBy(() -> PartitionStateNode.parse(json.replace("\"3\"", "\"x\""))).isInstanceOf(
                MalformedZnode.class);
    }

    @Test
    void configWithoutDataSetsNothing() {
        assertThat(ConfigNode.parse("").values()).isEmpty();
        assertThat(ConfigNode.parse("{\"version\":1,\"config\":{}}").values()).isEmpty();
        assertThat(new ConfigNode(Map.of("retention.ms", "3600000")).json()).isEqualTo(
                "{\"version\":1,\"config\":{\"retention.ms\":\"3600000\"}}");
    }

    @Test
    void configChangeNamesItsEntityByPath() {
        var json = "{\"version\":2,\"entity_path\":\"topics/T\"}";
        assertThat(ConfigChangeNode.parse(json)).isEqualTo(new ConfigChangeNode(ConfigResource.topic("T")));
        assertThat(new ConfigChangeNode(ConfigResource.topic("T")).json()).isEqualTo(json);
        assertThat(ConfigChangeNode.parse("{\"version\":1,\"entity_type\":\"topics\",\"entity_name\":\"T\"}"))
                .isEqualTo(new ConfigChangeNode(ConfigResource.topic("T")));
        assertThat(ConfigChangeNode.parse("{\"version\":2,\"entity_path\":\"users/a%20b/clients/%2A\"}")).isEqualTo(
                new ConfigChangeNode(new ConfigResource(ConfigType.USER, "a b/clients/*")));
    }

    @Test
    void producerIdBlocksFollowOnEachOther() {
        var json = "{\"version\":1,\"broker\":1,\"block_start\":\"1000\",\"block_end\":\"1999\"}";

        assertThat(ProducerIdBlock.parse("")).isEmpty();
        assertThat(ProducerIdBlock.initial(9).next(1).json()).isEqualTo(json);
        assertThat(ProducerIdBlock.parse(json)).contains(new ProducerIdBlock(1, 1000, 1999));
    }

    @Test
    void reassignmentsKeepTheOrderOfReplicas() {
        var json = "{\"version\":1,\"partitions\":[{\"topic\":\"t\",\"partition\":0,\"replicas\":[4,2,3]}]}";

        var node = ReassignPartitionsNode.parse(json);

        assertThat(node.moves()).containsExactly(new ReassignPartitionsNode.Move("t", 0, List.of(4, 2, 3)));
        assertThat(node.json()).isEqualTo(json);
    }

    @Test
    void preferredElectionNamesPartitions() {
        var json = "{\"version\":1,\"partitions\":[{\"topic\":\"t\",\"partition\":0},{\"topic\":\"u\",\"partition\":7}]}";

        var node = PreferredElectionNode.parse(json);

        assertThat(node.partitions()).containsExactly(new PreferredElectionNode.Entry("t", 0),
                new PreferredElectionNode.Entry("u", 7));
        assertThat(node.json()).isEqualTo(json);
    }

    @Test
    void shardsRememberOwnersAndEpochs() {
        var shards = new ShardsNode(List.of(new ShardImage(10, 1000, 3), new ShardImage(2, -1, 1)));

        assertThat(shards.json()).isEqualTo(
                "{\"version\":1,\"shards\":{\"2\":{\"owner\":-1,\"epoch\":1},\"10\":{\"owner\":1000,\"epoch\":3}}}");
        assertThat(ShardsNode.parse(shards.json())).isEqualTo(shards);
        assertThat(ShardsNode.parse("").shards()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "[]", "null", "{}", "{\"partitions\":[]}", "{\"leader\":\"x\"}",
            "{\"leader\":1.5}",
            "{\"leader\":99999999999,\"leader_epoch\":0,\"controller_epoch\":0,\"isr\":[]}",
            "{\"partitions\":{\"a\":[1]}}", "{\"partitions\":{\"1\":[1]}}", "{\"partitions\":{\"0\":1}}",
            "{\"endpoints\":[\"h:1\"]}", "{\"endpoints\":[\"A://h\"]}", "{\"endpoints\":[\"A://h:p\"]}",
            "{\"entity_path\":\"nonsense/x\"}", "{\"entity_path\":\"topics\"}", "{\"config\":{\"a\":{}}}",
            "{\"config\":3}", "{\"shards\":{\"0\":1}}"})
    void rubbishIsMalformedAndNothingElse(String json) {
        for (Function<String, ?> parse : List.<Function<String, ?>>of(BrokerRegistration::parse,
                ServiceRegistration::parse, ControllerNode::parse, PartitionStateNode::parse, TopicNode::parse,
                ReassignPartitionsNode::parse, PreferredElectionNode::parse,
                ConfigNode::parse, ConfigChangeNode::parse, ProducerIdBlock::parse, ShardsNode::parse,
                ClusterIdNode::parse, ControllerEpochNode::parse)) {
            try {
                assertThat(parse.apply(json)).isNotNull();
            } catch (MalformedZnode failure) {
                assertThat(failure).hasMessageNotContaining("Exception");
            }
        }
    }
}
