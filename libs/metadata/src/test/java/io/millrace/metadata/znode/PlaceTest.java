package io.millrace.metadata.znode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;

import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The way back from a path is the place it was made for.
class PlaceTest {
    static Stream<Arguments> places() {
        return Stream.of(Arguments.of(Paths.CONTROLLER, new Place.Controller()),
                Arguments.of(Paths.CONTROLLER_EPOCH, new Place.ControllerEpoch()),
                Arguments.of(Paths.broker(7), new Place.Node(new NodeKey(Role.BROKER, 7))),
                Arguments.of("/services/coordinator/1000", new Place.Node(new NodeKey(Role.COORDINATOR, 1000))),
                Arguments.of(Paths.node(new NodeKey(Role.CONTROLLER, 0)),
                        new Place.Node(new NodeKey(Role.CONTROLLER, 0))),
                Arguments.of(Paths.node(new NodeKey(Role.ADMIN, 2)), new Place.Node(new NodeKey(Role.ADMIN, 2))),
                Arguments.of(Paths.topic("a.b"), new Place.Topic("a.b")),
                Arguments.of("/brokers/topics/t/partitions/3/state", new Place.PartitionState("t", 3)),
                Arguments.of(Paths.partitionState("t", 3), new Place.PartitionState("t", 3)),
                Arguments.of(Paths.REASSIGN_PARTITIONS, new Place.ReassignPartitions()),
                Arguments.of(Paths.PREFERRED_ELECTION, new Place.PreferredElection()),
                Arguments.of(Paths.deleteTopic("t"), new Place.TopicToDelete("t")),
                Arguments.of("/config/changes/config_change_0000000001",
                        new Place.ConfigChanged("config_change_0000000001")),
                Arguments.of("/services/shards/group", new Place.Shards(ShardKind.GROUP)),
                Arguments.of("/services/shards/transaction", new Place.Shards(ShardKind.TRANSACTION)),
                Arguments.of("/config/topics/t", new Place.Config(ConfigResource.topic("t"))),
                Arguments.of("/config/brokers/<default>", new Place.Config(ConfigResource.allBrokers())),
                Arguments.of("/config/users/a%20b/clients/%2A~",
                        new Place.Config(new ConfigResource(ConfigType.USER, "a b/clients/*~"))),
                Arguments.of(Paths.config(new ConfigResource(ConfigType.CLIENT, "a/b c")),
                        new Place.Config(new ConfigResource(ConfigType.CLIENT, "a/b c"))));
    }

    @ParameterizedTest
    @MethodSource("places")
    void pathHasItsPlace(String path, Place place) {
        assertThat(Place.of(path)).isEqualTo(place);
        if (place instanceof Place.Config(var resource)) {
            assertThat(Paths.config(resource)).isEqualTo(path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "x", "/brokers", "/brokers/ids", "/brokers/ids/x", "/brokers/ids/-1",
            "/brokers/topics/t/partitions", "/brokers/topics/t/partitions/0", "/brokers/topics/t/partitions/x/state",
            "/brokers/topics/t/partitions/0/stat", "/config/topics", "/config/topics/", "/config/nonsense/x",
            "/config/clients/%zz", "/controller/x", "/services/shards/other", "/config/topics/a/clients/b"})
    void anythingElseIsElsewhere(String path) {
        assertThat(Place.of(path)).isEqualTo(new Place.Elsewhere());
    }
}
