package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.millrace.wire.api.AddedText;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Assignment;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Member;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.TopicPartitions;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Group `new` of the new protocol (KIP-848), in whose midst a member still speaks the classic one; group `old` is classic.
class ConsumerProtocolRestTest extends Rest {
    private static final byte SPEAKS_CLASSIC = 0;
    private static final byte SPEAKS_CONSUMER = 1;

    private final List<String> removals = new ArrayList<>();

    @BeforeEach
    void groups() {
        fake.answer(ListGroupsRequestData.class, _ -> new ListGroupsResponseData().setGroups(List.of(
                new ListedGroup().setGroupId("new").setGroupType("consumer").setGroupState("Reconciling"),
                new ListedGroup().setGroupId("old").setGroupType("classic").setGroupState("Stable"),
                new ListedGroup().setGroupId("was-new").setGroupType("consumer").setGroupState("Empty"))));
        fake.answer(ConsumerGroupDescribeRequestData.class, request -> new ConsumerGroupDescribeResponseData()
                .setGroups(request.groupIds().stream().map(ConsumerProtocolRestTest::described).toList()));
        fake.answer(DescribeGroupsRequestData.class, request -> new DescribeGroupsResponseData().setGroups(request
                .groups().stream().map(id -> new DescribeGroupsResponseData.DescribedGroup().setGroupId(id)
                        .setGroupState(id.equals("new") ? "Dead" : "Stable").setProtocolType("consumer")).toList()));
        fake.answer(LeaveGroupRequestData.class, request -> {
            request.members().forEach(member -> removals.add("leave " + member.memberId()));
            return new LeaveGroupResponseData();
        });
        fake.answer(ConsumerGroupHeartbeatRequestData.class, request -> {
            removals.add("heartbeat %s %s %d".formatted(request.memberId(), request.instanceId(), request
                    .memberEpoch()));
            return new ConsumerGroupHeartbeatResponseData();
        });
    }

    private static DescribedGroup described(String id) {
        if (!id.equals("new")) {
            return new DescribedGroup().setGroupId(id).setErrorCode(Errors.GROUP_ID_NOT_FOUND.code());
        }
        var moving = new Member().setMemberId("m-1").setInstanceId("i-1").setClientId("c").setClientHost("/h")
                .setRackId("r").setMemberEpoch(6).setMemberType(SPEAKS_CONSUMER)
                .setSubscribedTopicNames(List.of("orders")).setSubscribedTopicRegex("ord.*")
                .setAssignment(orders(1, 0)).setTargetAssignment(orders(1));
        AddedText.add(moving, "rust 1.0");
        var classic = new Member().setMemberId("m-2").setMemberEpoch(7).setMemberType(SPEAKS_CLASSIC)
                .setAssignment(orders()).setTargetAssignment(orders(0));
        var group = new DescribedGroup().setGroupId(id).setGroupState("Reconciling").setGroupEpoch(7)
                .setAssignmentEpoch(7).setAssignorName("uniform").setMembers(List.of(moving, classic));
        AddedText.add(group, "1700000000000 member m-2 joined");
        return group;
    }

    private static Assignment orders(Integer... partitions) {
        return new Assignment().setTopicPartitions(List.of(new TopicPartitions().setTopicName("orders").setPartitions(
                List.of(partitions))));
    }

    @Test
    void groupOfTheNewProtocolIsDescribedWithItsEpochs() throws Exception {
        call("GET", "/consumer-groups/new").andExpect(status().isOk())
                .andExpect(jsonPath("$.type").value("CONSUMER"))
                .andExpect(jsonPath("$.state").value("RECONCILING"))
                .andExpect(jsonPath("$.partition_assignor").value("uniform"))
                .andExpect(jsonPath("$.is_simple").value(false))
                .andExpect(jsonPath("$.is_mixed_consumer_group").value(true))
                .andExpect(jsonPath("$.group_epoch").value(7)).andExpect(jsonPath("$.assignment_epoch").value(7))
                .andExpect(jsonPath("$.last_rebalance.at").value("2023-11-14T22:13:20Z"))
                .andExpect(jsonPath("$.last_rebalance.reason").value("member m-2 joined"));
    }

    @Test
    void classicGroupHasNoEpochs() throws Exception {
        call("GET", "/consumer-groups/old").andExpect(jsonPath("$.type").value("CLASSIC"))
                .andExpect(jsonPath("$.group_epoch").isEmpty())
                .andExpect(jsonPath("$.is_mixed_consumer_group").value(false));
    }

    @Test
    void membersTellWhatTheyReadAndWhatTheyAreToRead() throws Exception {
        call("GET", "/consumer-groups/new/consumers").andExpect(jsonPath("$.data.length()").value(2))
                .andExpect(jsonPath("$.data[1].subscription.type").value("CLASSIC"))
                .andExpect(jsonPath("$.data[1].subscription.topic_regex").isEmpty());
        call("GET", "/consumer-groups/new/consumers/m-1")
                .andExpect(jsonPath("$.software").value("rust 1.0"))
                .andExpect(jsonPath("$.assigned[0].partition_id").value(0))
                .andExpect(jsonPath("$.assigned[1].partition_id").value(1))
                .andExpect(jsonPath("$.subscription.type").value("CONSUMER"))
                .andExpect(jsonPath("$.subscription.member_epoch").value(6))
                .andExpect(jsonPath("$.subscription.rack_id").value("r"))
                .andExpect(jsonPath("$.subscription.topic_names[0]").value("orders"))
                .andExpect(jsonPath("$.subscription.topic_regex").value("ord.*"))
                .andExpect(jsonPath("$.subscription.target.length()").value(1))
                .andExpect(jsonPath("$.subscription.target[0].topic_name").value("orders"))
                .andExpect(jsonPath("$.subscription.target[0].partition_id").value(1));
        call("GET", "/consumer-groups/new/consumers/m-1/assignments/orders/partitions/1").andExpect(status().isOk());
    }

    @Test
    void groupsOfBothProtocolsAreListedOnceEachAndByType() throws Exception {
        call("GET", "/consumer-groups").andExpect(jsonPath("$.data.length()").value(3))
                .andExpect(jsonPath("$.data[0].type").value("CONSUMER"))
                .andExpect(jsonPath("$.data[1].type").value("CLASSIC"))
                .andExpect(jsonPath("$.data[2].consumer_group_id").value("was-new"))
                .andExpect(jsonPath("$.data[2].type").value("CLASSIC"));
        call("GET", "/consumer-groups?type=CONSUMER").andExpect(jsonPath("$.data.length()").value(1))
                .andExpect(jsonPath("$.data[0].consumer_group_id").value("new"));
        call("GET", "/consumer-groups?type=OTHER").andExpect(status().isBadRequest());
    }

    @Test
    void memberOfTheNewProtocolIsSentAwayInItsOwnName() throws Exception {
        call("DELETE", "/consumer-groups/new/consumers/m-1").andExpect(status().isNoContent());
        call("DELETE", "/consumer-groups/new/consumers/m-2").andExpect(status().isNoContent());
        assertThat(removals).containsExactly("heartbeat m-1 i-1 -1", "leave m-2");
    }

    @Test
    void lagNamesTheReader() throws Exception {
        var committed = new OffsetFetchResponsePartitions().setPartitionIndex(1).setCommittedOffset(5)
                .setCommittedLeaderEpoch(3).setMetadata("note");
        AddedText.add(committed, "1700000000000");
        fake.answer(OffsetFetchRequestData.class, request -> {
            assertThat(AddedText.of(request.groups().getFirst())).isPresent();
            return new OffsetFetchResponseData().setGroups(List.of(new OffsetFetchResponseGroup().setTopics(List.of(
                    new OffsetFetchResponseTopics().setName("orders").setPartitions(List.of(committed))))));
        });
        call("GET", "/consumer-groups/new/lags").andExpect(jsonPath("$.data[0].consumer_id").value("m-1"))
                .andExpect(jsonPath("$.data[0].lag").isEmpty());
        call("GET", "/consumer-groups/new/offsets").andExpect(jsonPath("$.data[0].committed_offset").value(5))
                .andExpect(jsonPath("$.data[0].leader_epoch").value(3))
                .andExpect(jsonPath("$.data[0].committed_metadata").value("note"))
                .andExpect(jsonPath("$.data[0].committed_at").value("2023-11-14T22:13:20Z"));
    }

    @Test
    void staleGroupsAreThoseOfWhichNothingWasHeardForSoLong() throws Exception {
        var now = Instant.now();
        fake.answer(ListGroupsRequestData.class, request -> {
            assertThat(AddedText.of(request)).isPresent();
            assertThat(request.statesFilter()).containsExactly("Empty");
            return new ListGroupsResponseData().setGroups(List.of(quiet("young", now.minus(Duration.ofDays(6))),
                    quiet("old", now.minus(Duration.ofDays(8))), quiet("ancient", now.minus(Duration.ofDays(80))),
                    new ListedGroup().setGroupId("unknown").setGroupState("Empty")));
        });
        call("GET", "/consumer-groups:stale").andExpect(status().isOk())
                .andExpect(jsonPath("$.data.length()").value(2))
                .andExpect(jsonPath("$.data[0].consumer_group_id").value("ancient"))
                .andExpect(jsonPath("$.data[0].type").value("CLASSIC"))
                .andExpect(jsonPath("$.data[1].consumer_group_id").value("old"))
                .andExpect(jsonPath("$.data[1].idle_since").value(now.minus(Duration.ofDays(8)).truncatedTo(
                        java.time.temporal.ChronoUnit.MILLIS).toString()));
        call("GET", "/consumer-groups:stale?idle_days=30").andExpect(jsonPath("$.data.length()").value(1));
        call("GET", "/consumer-groups:stale?idle_days=-1").andExpect(status().isBadRequest());
    }

    private static ListedGroup quiet(String id, Instant since) {
        var group = new ListedGroup().setGroupId(id).setGroupState("Empty").setGroupType("classic");
        AddedText.add(group, Long.toString(since.toEpochMilli()));
        return group;
    }

    /// The fake leader of `orders` has 100 records; `old` has no offset in it, and `was-new` has gone.
    @Test
    void groupsOfATopicAreListedWithTheirLagInIt() throws Exception {
        fake.answer(OffsetFetchRequestData.class, request -> new OffsetFetchResponseData().setGroups(request.groups()
                .stream().map(group -> {
                    assertThat(group.topics()).extracting(OffsetFetchRequestTopics::name).containsExactly("orders");
                    return new OffsetFetchResponseGroup().setGroupId(group.groupId()).setTopics(List.of(
                            new OffsetFetchResponseTopics().setName("orders").setPartitions(List.of(
                                    new OffsetFetchResponsePartitions().setPartitionIndex(0).setCommittedOffset(group
                                            .groupId().equals("new") ? 60 : -1)))));
                }).toList()));
        fake.answer(ListOffsetsRequestData.class, _ -> new ListOffsetsResponseData().setTopics(List.of(
                new ListOffsetsTopicResponse().setName("orders").setPartitions(List.of(
                        new ListOffsetsPartitionResponse().setOffset(100))))));

        call("GET", "/topics/orders/consumer-groups").andExpect(status().isOk())
                .andExpect(jsonPath("$.kind").value("KafkaTopicConsumerGroupList"))
                .andExpect(jsonPath("$.data.length()").value(1))
                .andExpect(jsonPath("$.data[0].consumer_group_id").value("new"))
                .andExpect(jsonPath("$.data[0].type").value("CONSUMER"))
                .andExpect(jsonPath("$.data[0].state").value("RECONCILING"))
                .andExpect(jsonPath("$.data[0].partitions_committed").value(1))
                .andExpect(jsonPath("$.data[0].total_lag").value(40))
                .andExpect(jsonPath("$.data[0].lags.related").value(SELF + "/consumer-groups/new/lags"));
        call("GET", "/topics/none/consumer-groups").andExpect(status().isNotFound()).andExpect(jsonPath("$.error_code")
                .value(40403));
    }
}
