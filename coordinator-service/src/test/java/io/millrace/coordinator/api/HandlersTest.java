package io.millrace.coordinator.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Backoff;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.coordinator.group.GroupLimits;
import io.millrace.coordinator.group.consumer.Assignor;
import io.millrace.coordinator.group.consumer.ConsumerRules;
import io.millrace.coordinator.group.consumer.ConsumerRules.Migration;
import io.millrace.coordinator.group.consumer.ConsumerTerms;
import io.millrace.coordinator.group.consumer.TopicDirectory;
import io.millrace.coordinator.shard.AppendLimits;
import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.GroupWorld;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.coordinator.shard.ShardMetrics;
import io.millrace.coordinator.shard.ShardRuntime;
import io.millrace.coordinator.shard.ShardSettings;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.api.AddedText;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.ClientSoftware;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each API in each of its versions: the answer has what that version asks for, and can be written in it.
class HandlersTest {
    private static final UUID TOPIC = new UUID(3, 4);
    private static final int SELF = 1000;

    private final SimulatedLoop loop = new SimulatedLoop();
    private final ClusterImage image = image();
    private final OwnedShards<GroupShard> shards = new OwnedShards<>(SELF, List.of(loop),
            GroupShard.type(new ShardSettings(new GroupLimits(6000, 60_000, 10, 0),
                    new ConsumerRules(List.of(Assignor.UNIFORM, Assignor.RANGE), 10, Migration.BIDIRECTIONAL), 4096,
                    Duration.ofDays(7),
                    Duration.ofMinutes(10)),
                    new GroupWorld(() -> TopicDirectory.EMPTY, _ -> new ConsumerTerms(45_000, 5_000))),
            new ShardRuntime(new InMemoryShard(), new ShardMetrics(new SimpleMeterRegistry(), loop.ticker()),
                    loop.clock(), loop.ticker(), new Random(1),
                    new Backoff(Duration.ofMillis(1), Duration.ofMillis(1)), new AppendLimits(1000, 5000)),
            () -> image, _ -> {});

    @BeforeEach
    void load() {
        shards.apply(ClusterImage.EMPTY, image, Changes.between(ClusterImage.EMPTY, image));
        assertThat(shards.loaded()).isTrue();
        loop.runPending();
    }

    private static Stream<Short> versions(ApiKeys api) {
        return IntStream.rangeClosed(api.oldestVersion(), api.latestVersion(false)).mapToObj(number -> (short) number);
    }

    static Stream<Short> joins() {
        return versions(ApiKeys.JOIN_GROUP);
    }

    @ParameterizedTest
    @MethodSource("joins")
    void aMemberJoinsSyncsBeatsAndLeaves(short version) {
        var joined = join(version, "");
        if (version >= 4) {
            assertThat(Errors.forCode(joined.errorCode())).isEqualTo(Errors.MEMBER_ID_REQUIRED);
            joined = join(version, joined.memberId());
        }
        assertThat(joined.protocolName()).isEqualTo("range");
        var member = joined.memberId();

        short syncVersion = (short) Math.min(version, ApiKeys.SYNC_GROUP.latestVersion());
        var sync = new SyncGroupRequestData().setGroupId("g").setMemberId(member).setGenerationId(1)
                .setProtocolType("consumer").setProtocolName("range");
        assertThat(ask(new SyncGroupHandler(shards), sync, syncVersion).errorCode()).isZero();
        short beatVersion = (short) Math.min(version, ApiKeys.HEARTBEAT.latestVersion());
        var beat = new HeartbeatRequestData().setGroupId("g").setMemberId(member).setGenerationId(1);
        assertThat(ask(new HeartbeatHandler(shards), beat, beatVersion).errorCode()).isZero();

        short leaveVersion = (short) Math.min(version, ApiKeys.LEAVE_GROUP.latestVersion());
        var left = leave(member, leaveVersion);
        assertThat(left).isEqualTo(Errors.NONE);
        assertThat(leave(member, leaveVersion)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    }

    @ParameterizedTest
    @MethodSource("joins")
    void aRefusedJoinCanBeWrittenInEachVersion(short version) {
        var request = new JoinGroupRequestData().setGroupId("g").setSessionTimeoutMs(1).setProtocolType("consumer");

        var answer = ask(new JoinGroupHandler(shards), request, version);

        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.INVALID_SESSION_TIMEOUT);
    }

    @ParameterizedTest
    @MethodSource("descriptions")
    void aGroupWithMembersCanBeDescribedInEachVersion(short version) {
        join((short) 3, "");

        var described = ask(new DescribeGroupsHandler(shards), new DescribeGroupsRequestData().setGroups(List.of("g")),
                version).groups().getFirst();

        assertThat(described.members()).hasSize(1);
        assertThat(AddedText.of(described).isPresent()).as("why it rebalanced").isEqualTo(version >= 5);
    }

    @Test
    void aGroupNeedsANameAndANewerSyncItsProtocol() {
        assertThatThrownBy(() -> ask(new JoinGroupHandler(shards), new JoinGroupRequestData(), (short) 5))
                .satisfies(failure -> assertThat(Failures.errorOf(failure)).isEqualTo(Errors.INVALID_GROUP_ID));
        assertThatThrownBy(() -> ask(new SyncGroupHandler(shards), new SyncGroupRequestData().setGroupId("g"),
                (short) 5))
                .satisfies(failure -> assertThat(Failures.errorOf(failure))
                        .isEqualTo(Errors.INCONSISTENT_GROUP_PROTOCOL));
    }

    static Stream<Short> commits() {
        return versions(ApiKeys.OFFSET_COMMIT);
    }

    @ParameterizedTest
    @MethodSource("commits")
    void anOffsetIsCommittedAndFetched(short version) {
        boolean byId = version >= 10;
        var request = new OffsetCommitRequestData().setGroupId("g").setTopics(
                List.of(committed("t", new Uuid(3, 4), byId), committed("unknown", new Uuid(9, 9), byId)));

        var answer = ask(new OffsetCommitHandler(shards, () -> image), request, version);

        assertThat(answer.topics()).extracting(topic -> Errors.forCode(topic.partitions().getFirst().errorCode()))
                .containsExactly(Errors.NONE, byId ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(fetch(version, false)).isEqualTo(9);
        assertThat(fetch(version, true)).isEqualTo(9);
    }

    @Test
    void eachGroupOfAFetchHasItsOwnAnswerAndUnknownIdsTheirs() {
        var topics = List.of(new OffsetFetchRequestTopics().setTopicId(new Uuid(9, 9)).setPartitionIndexes(List.of(5)));
        var request = new OffsetFetchRequestData().setGroups(
                List.of(new OffsetFetchRequestGroup().setGroupId("a").setTopics(topics),
                        new OffsetFetchRequestGroup().setGroupId("b").setTopics(null)));

        var answer = ask(new OffsetFetchHandler(shards, () -> image), request, (short) 10);

        assertThat(answer.groups()).extracting(group -> group.groupId()).containsExactly("a", "b");
        var partition = answer.groups().getFirst().topics().getFirst().partitions().getFirst();
        assertThat(Errors.forCode(partition.errorCode())).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
        assertThat(partition.partitionIndex()).isEqualTo(5);
    }

    static Stream<Short> descriptions() {
        return versions(ApiKeys.DESCRIBE_GROUPS);
    }

    @ParameterizedTest
    @MethodSource("descriptions")
    void anUnknownGroupIsDeadAndLaterNotFound(short version) {
        var request = new DescribeGroupsRequestData().setGroups(List.of("nobody", ""));

        var groups = ask(new DescribeGroupsHandler(shards), request, version).groups();

        assertThat(groups.getFirst().groupState()).isEqualTo("Dead");
        assertThat(Errors.forCode(groups.getFirst().errorCode()))
                .isEqualTo(version < 6 ? Errors.NONE : Errors.GROUP_ID_NOT_FOUND);
        assertThat(Errors.forCode(groups.getLast().errorCode())).isEqualTo(Errors.INVALID_GROUP_ID);
    }

    static Stream<Short> lists() {
        return versions(ApiKeys.LIST_GROUPS);
    }

    @ParameterizedTest
    @MethodSource("lists")
    void groupsAreListedByStateAndType(short version) {
        join((short) 3, "");
        ask(new OffsetCommitHandler(shards, () -> image), new OffsetCommitRequestData().setGroupId("simple")
                .setTopics(List.of(committed("t", Uuid.ZERO_UUID, false))), (short) 9);

        assertThat(list(new ListGroupsRequestData(), version)).containsExactlyInAnyOrder("g", "simple");
        if (version >= 4) {
            assertThat(list(new ListGroupsRequestData().setStatesFilter(List.of("EMPTY")), version))
                    .containsExactly("simple");
        }
        if (version >= 5) {
            assertThat(list(new ListGroupsRequestData().setTypesFilter(List.of("consumer")), version)).isEmpty();
            assertThat(list(new ListGroupsRequestData().setTypesFilter(List.of("Classic")), version)).hasSize(2);
        }
    }

    static Stream<Short> deletions() {
        return versions(ApiKeys.DELETE_GROUPS);
    }

    @ParameterizedTest
    @MethodSource("deletions")
    void eachGroupToDeleteHasItsOwnAnswer(short version) {
        join((short) 3, "");

        var answer = ask(new DeleteGroupsHandler(shards),
                new DeleteGroupsRequestData().setGroupsNames(List.of("g", "nobody", "")), version);

        assertThat(answer.results()).extracting(result -> Errors.forCode(result.errorCode())).containsExactly(
                Errors.NON_EMPTY_GROUP, Errors.GROUP_ID_NOT_FOUND, Errors.INVALID_GROUP_ID);
    }

    static Stream<Short> consumerHeartbeats() {
        return versions(ApiKeys.CONSUMER_GROUP_HEARTBEAT);
    }

    @ParameterizedTest
    @MethodSource("consumerHeartbeats")
    void aMemberOfAConsumerGroupJoinsIsDescribedCommitsAndLeaves(short version) {
        var joining = new ConsumerGroupHeartbeatRequestData().setGroupId("c").setMemberEpoch(0)
                .setMemberId(version == 0 ? "" : "m").setRebalanceTimeoutMs(60_000).setTopicPartitions(List.of())
                .setSubscribedTopicNames(List.of("t"));
        var member = ask(new ConsumerGroupHeartbeatHandler(shards), joining, version);
        assertThat(member.memberEpoch()).isEqualTo(1);

        var described = ask(new ConsumerGroupDescribeHandler(shards), new ConsumerGroupDescribeRequestData()
                .setGroupIds(List.of("c", "nobody", "")).setIncludeAuthorizedOperations(true), version).groups();
        assertThat(described).extracting(group -> Errors.forCode(group.errorCode())).containsExactly(Errors.NONE,
                Errors.GROUP_ID_NOT_FOUND, Errors.INVALID_GROUP_ID);
        assertThat(described.getFirst().members()).singleElement().satisfies(found -> assertThat(found.memberId())
                .isEqualTo(member.memberId()));
        assertThat(ask(new DescribeGroupsHandler(shards), new DescribeGroupsRequestData().setGroups(List.of("c")),
                (short) 6).groups().getFirst().errorCode()).isEqualTo(Errors.GROUP_ID_NOT_FOUND.code());
        assertThat(list(new ListGroupsRequestData().setTypesFilter(List.of("Consumer")), (short) 5)).containsExactly(
                "c");
        assertThat(List.of(1, 0).stream().map(epoch -> commitAs(member.memberId(), epoch))).containsExactly(Errors.NONE,
                Errors.STALE_MEMBER_EPOCH);
        assertThat(Errors.forCode(join((short) 3, "", "c").errorCode()))
                .isEqualTo(Errors.INCONSISTENT_GROUP_PROTOCOL);

        var leaving = new ConsumerGroupHeartbeatRequestData().setGroupId("c").setMemberEpoch(-1).setMemberId(member
                .memberId());
        assertThat(ask(new ConsumerGroupHeartbeatHandler(shards), leaving, version).memberEpoch()).isEqualTo(-1);
        assertThat(join((short) 3, "", "c").protocolName()).isEqualTo("range");
        assertThat(list(new ListGroupsRequestData().setTypesFilter(List.of("Classic")), (short) 5)).containsExactly(
                "c");
    }

    private Errors commitAs(String member, int epoch) {
        var answer = ask(new OffsetCommitHandler(shards, () -> image), new OffsetCommitRequestData().setGroupId("c")
                .setMemberId(member).setGenerationIdOrMemberEpoch(epoch)
                .setTopics(List.of(committed("t", Uuid.ZERO_UUID, false))), (short) 9);
        return Errors.forCode(answer.topics().getFirst().partitions().getFirst().errorCode());
    }

    private JoinGroupResponseData join(short version, String memberId) {
        return join(version, memberId, "g");
    }

    private JoinGroupResponseData join(short version, String memberId, String group) {
        var request = new JoinGroupRequestData().setGroupId(group).setMemberId(memberId).setSessionTimeoutMs(10_000)
                .setRebalanceTimeoutMs(10_000).setProtocolType("consumer");
        request.protocols().add(new JoinGroupRequestProtocol().setName("range").setMetadata(new byte[]{1}));
        return ask(new JoinGroupHandler(shards), request, version);
    }

    private Errors leave(String member, short version) {
        var request = new LeaveGroupRequestData().setGroupId("g");
        if (version < 3) {
            request.setMemberId(member);
        } else {
            request.setMembers(List.of(new MemberIdentity().setMemberId(member)));
        }
        var answer = ask(new LeaveGroupHandler(shards), request, version);
        return Errors.forCode(version < 3 ? answer.errorCode() : answer.members().getFirst().errorCode());
    }

    private List<String> list(ListGroupsRequestData request, short version) {
        return ask(new ListGroupsHandler(shards), request, version).groups().stream().map(group -> group.groupId())
                .toList();
    }

    private long fetch(short version, boolean all) {
        var handler = new OffsetFetchHandler(shards, () -> image);
        if (version < 8) {
            if (all && version < 2) {
                return 9; // cannot be asked for
            }
            var request = new OffsetFetchRequestData().setGroupId("g").setTopics(all
                    ? null
                    : List.of(new OffsetFetchRequestTopic().setName("t").setPartitionIndexes(List.of(0))));
            return ask(handler, request, version).topics().getFirst().partitions().getFirst().committedOffset();
        }
        var topic = new OffsetFetchRequestTopics().setPartitionIndexes(List.of(0));
        var group = new OffsetFetchRequestGroup().setGroupId("g").setTopics(
                all ? null : List.of(version < 10 ? topic.setName("t") : topic.setTopicId(new Uuid(3, 4))));
        return ask(handler, new OffsetFetchRequestData().setGroups(List.of(group)), version).groups().getFirst()
                .topics().getFirst().partitions().getFirst().committedOffset();
    }

    private static OffsetCommitRequestTopic committed(String name, Uuid id, boolean byId) {
        var topic = new OffsetCommitRequestTopic().setPartitions(
                List.of(new OffsetCommitRequestPartition().setPartitionIndex(0).setCommittedOffset(9)));
        return byId ? topic.setTopicId(id) : topic.setName(name);
    }

    private <Q extends ApiMessage, A extends ApiMessage> A ask(ApiHandler<Q, A> handler, Q request, short version) {
        var connection = new RequestContext.Connection("id", "PLAINTEXT", new InetSocketAddress(InetAddress
                .getLoopbackAddress(), 1),
                KafkaPrincipal.ANONYMOUS, ClientSoftware.UNKNOWN, loop);
        var answer = handler.handle(request, new RequestContext(handler.api(), version, 1, "client", connection));
        loop.runPending();
        assertThat(answer).isCompleted();
        var response = answer.join();
        MessageUtil.toByteBufferAccessor(response, version); // throws where the version has no room for something
        return response;
    }

    private static ClusterImage image() {
        var partition = new PartitionImage(0, List.of(1), List.of(1), List.of(), List.of(), 1, 0, 0);
        var topics = ClusterImage.EMPTY.topics()
                .with(TopicImage.of(ShardKind.GROUP.topic(), new UUID(1, 1)).with(partition))
                .with(TopicImage.of("t", TOPIC).with(partition));
        return ClusterImage.EMPTY.with(topics)
                .with(ShardKind.GROUP, ClusterImage.EMPTY.groupShards().with(new ShardImage(0, SELF, 1)));
    }
}
