package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.cluster.UsesClusters;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.JoinGroupResponseData.JoinGroupResponseMember;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.netty.resources.LoopResources;

/// Classic groups by the bare protocol, with what no good client sends, and members that are lost in the middle of a join.
@UsesClusters
class RawGroupsIT {
    private static final int TEXT_LIMIT = 4_096;

    private final Kafka kafka;
    private final LoopResources loops = RawMember.loops();
    private final List<RawMember> members = new ArrayList<>();

    RawGroupsIT(Clusters clusters) {
        kafka = new Kafka(clusters.of(Mode.CLUSTER).bootstrap());
    }

    @AfterEach
    void end() {
        members.forEach(RawMember::close);
        RawMember.end(loops);
    }

    private RawMember member(String group) {
        var member = new RawMember(loops, kafka.bootstrap(), group);
        members.add(member);
        return member;
    }

    private static Errors error(JoinGroupResponseData answer) {
        return Errors.forCode(answer.errorCode());
    }

    @ParameterizedTest
    @CsvSource({"raw-no-list,consumer,10000,,INCONSISTENT_GROUP_PROTOCOL",
            "raw-no-type,'',10000,range,INCONSISTENT_GROUP_PROTOCOL",
            "raw-short,consumer,5999,range,INVALID_SESSION_TIMEOUT", "raw-least,consumer,6000,range,MEMBER_ID_REQUIRED",
            "raw-most,consumer,1800000,range,MEMBER_ID_REQUIRED",
            "raw-long,consumer,1800001,range,INVALID_SESSION_TIMEOUT",
            "'',consumer,10000,range,INVALID_GROUP_ID"})
    void firstJoinIsCheckedAndLeavesNoGroupBehind(String group, String type, int session, String protocol,
            Errors expected) {
        var member = member(group);

        var answer = Kafka.await(member.<JoinGroupResponseData>send(protocol == null
                ? member.request(type, session)
                : member.request(type, session, protocol)));

        assertThat(error(answer)).isEqualTo(expected);
        // The group takes a member that asks for what it may, whatever came before.
        if (!group.isEmpty()) {
            assertThat(error(Kafka.await(member(group).join("range")))).isEqualTo(Errors.NONE);
        }
    }

    @Test
    void memberHasToHaveSomethingInCommonAndTheMostPreferredIsChosen() {
        var first = member("raw-common");
        assertThat(error(Kafka.await(first.join("range", "sticky")))).isEqualTo(Errors.NONE);
        Kafka.await(first.sync("range", Map.of(first.id(), new byte[]{1})));

        assertThat(error(Kafka.await(member("raw-common").<JoinGroupResponseData>send(member("raw-common").request(
                "connect", 10_000, "range"))))).isEqualTo(Errors.INCONSISTENT_GROUP_PROTOCOL);
        assertThat(error(Kafka.await(member("raw-common").join("roundrobin")))).isEqualTo(
                Errors.INCONSISTENT_GROUP_PROTOCOL);
        var second = member("raw-common").join("roundrobin", "sticky");
        var again = rejoins(first, "range", "sticky");

        assertThat(Kafka.await(second).protocolName()).isEqualTo("sticky");
        assertThat(again.protocolName()).isEqualTo("sticky");
        assertThat(Errors.forCode(Kafka.await(first.sync("range", Map.of())).errorCode())).isEqualTo(
                Errors.INCONSISTENT_GROUP_PROTOCOL);
    }

    private static JoinGroupResponseData rejoins(RawMember member, String... protocols) {
        awaitRebalance(member);
        return Kafka.await(member.join(protocols));
    }

    private static void awaitRebalance(RawMember member) {
        await().atMost(Kafka.LIMIT).until(() -> member.beat() == Errors.REBALANCE_IN_PROGRESS);
    }

    @Test
    void textOfACommitMayBeSoLongAndRefusesItsPartitionAlone() {
        kafka.create("raw-text", 2);
        var answer = Kafka.await(member("raw-text").<OffsetCommitResponseData>send(new OffsetCommitRequestData()
                .setGroupId("raw-text").setGenerationIdOrMemberEpoch(-1).setTopics(List.of(
                        new OffsetCommitRequestTopic()
                                .setName("raw-text").setTopicId(topicId("raw-text")).setPartitions(List.of(text(0,
                                        TEXT_LIMIT), text(1, TEXT_LIMIT + 1)))))));

        assertThat(answer.topics().getFirst().partitions()).extracting(
                OffsetCommitResponsePartition::partitionIndex, partition -> Errors.forCode(partition.errorCode()))
                .containsExactlyInAnyOrder(tuple(0, Errors.NONE),
                        tuple(1, Errors.OFFSET_METADATA_TOO_LARGE));
    }

    private static OffsetCommitRequestPartition text(int partition, int length) {
        return new OffsetCommitRequestPartition().setPartitionIndex(partition).setCommittedOffset(1)
                .setCommittedMetadata("x".repeat(length));
    }

    private Uuid topicId(String topic) {
        try (var admin = kafka.admin()) {
            return Objects.requireNonNull(Kafka.await(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic))
                    .topicId();
        }
    }

    /// Five members are in; a sixth comes, and of the five two are gone without a word, and of another the connection breaks
    /// while its join waits.
    @Test
    void groupGoesOnWithoutThoseThatDieWhileMembersGather() {
        var five = IntStream.range(0, 5).mapToObj(_ -> member("raw-deaths")).toList();
        gather(five);
        var sixth = member("raw-deaths");
        var joining = sixth.join("range");
        five.get(3).close();
        five.get(4).close();
        awaitRebalance(five.get(0));
        five.get(2).join("range");
        five.get(2).close();

        var answers = List.of(five.get(0).join("range"), five.get(1).join("range"), joining).stream().map(Kafka::await)
                .toList();

        assertThat(answers).extracting(RawGroupsIT::error).containsOnly(Errors.NONE);
        // Whose join had come in counts as there until its session ends; the other two do not.
        assertThat(ids("raw-deaths")).contains(five.get(0).id(), five.get(1).id(), sixth.id()).doesNotContain(five.get(
                3).id(), five.get(4).id());
        members.forEach(RawMember::close);
        await().atMost(Kafka.LIMIT).until(() -> describe("raw-deaths").groupState() == GroupState.EMPTY && ids(
                "raw-deaths").isEmpty());
    }

    private ConsumerGroupDescription describe(String group) {
        try (var admin = kafka.admin()) {
            return Objects.requireNonNull(Kafka.await(admin.describeConsumerGroups(List.of(group)).all()).get(group));
        }
    }

    private List<String> ids(String group) {
        return describe(group).members().stream().map(MemberDescription::consumerId).toList();
    }

    /// One after the other comes; in the end all are in one generation, and know what they have.
    private static void gather(List<RawMember> members) {
        for (int number = 0; number < members.size(); number++) {
            var joins = new ArrayList<>(List.of(members.get(number).join("range")));
            var earlier = members.subList(0, number);
            earlier.forEach(RawGroupsIT::awaitRebalance);
            earlier.forEach(member -> joins.add(member.join("range")));
            assertThat(joins).extracting(join -> error(Kafka.await(join))).containsOnly(Errors.NONE);
            var all = members.subList(0, number + 1);
            var assignments = all.stream().collect(Collectors.toMap(RawMember::id, _ -> new byte[]{1}));
            var synced = all.stream().map(member -> member.sync("range", assignments)).toList();
            assertThat(synced).extracting(answer -> Errors.forCode(Kafka.await(answer).errorCode())).containsOnly(
                    Errors.NONE);
        }
    }

    @Test
    void joinerThatTriesTwentyTimesOnNewConnectionsLeavesNobodyBehind() {
        var first = member("raw-retries");
        Kafka.await(first.join("range"));
        Kafka.await(first.sync("range", Map.of(first.id(), new byte[]{1})));
        for (int i = 0; i < 20; i++) {
            try (var impatient = new RawMember(loops, kafka.bootstrap(), "raw-retries")) {
                assertThat(error(Kafka.await(impatient.<JoinGroupResponseData>send(impatient.request("consumer", 10_000,
                        "range"))))).isEqualTo(Errors.MEMBER_ID_REQUIRED);
            }
        }
        assertThat(first.beat()).isEqualTo(Errors.NONE);
        var last = member("raw-retries");
        var joined = last.join("range");
        var again = rejoins(first, "range");

        Kafka.await(joined);
        assertThat(again.members().isEmpty() ? Kafka.await(joined).members() : again.members()).extracting(
                JoinGroupResponseMember::memberId).containsExactlyInAnyOrder(first.id(), last.id());
    }
}
