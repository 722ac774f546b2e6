package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroupMember;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Offsets of a group of one partition whose log has the offsets 10 to 99, changed from outside.
class GroupsRestTest extends Rest {
    private static final String SHOP = "/consumer-groups/shop";

    private final Map<String, Long> committed = new TreeMap<>(Map.of("shop", 40L, "other", 20L));
    private final List<DescribedGroupMember> members = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();

    @BeforeEach
    void group() {
        fake.answer(DescribeGroupsRequestData.class, request -> new DescribeGroupsResponseData().setGroups(List.of(
                new DescribedGroup().setGroupId(request.groups().getFirst()).setGroupState(members.isEmpty()
                        ? "Empty"
                        : "Stable").setProtocolType("consumer").setMembers(members))));
        fake.answer(OffsetFetchRequestData.class, request -> {
            var id = request.groups().getFirst().groupId();
            return new OffsetFetchResponseData().setGroups(List.of(new OffsetFetchResponseGroup().setGroupId(id)
                    .setTopics(List.of(new OffsetFetchResponseTopics().setName("orders").setPartitions(List.of(
                            new OffsetFetchResponsePartitions().setPartitionIndex(0).setCommittedOffset(committed
                                    .getOrDefault(id, -1L))))))));
        });
        fake.answer(ListOffsetsRequestData.class, request -> {
            long asked = request.topics().getFirst().partitions().getFirst().timestamp();
            long offset = asked == -2 ? 10 : asked == -1 ? 100 : 70;
            return new ListOffsetsResponseData().setTopics(List.of(new ListOffsetsTopicResponse().setName("orders")
                    .setPartitions(List.of(new ListOffsetsPartitionResponse().setOffset(offset)))));
        });
        fake.answer(OffsetCommitRequestData.class, request -> {
            var partition = request.topics().getFirst().partitions().getFirst();
            changes.add("commit " + request.generationIdOrMemberEpoch() + " " + partition.committedOffset());
            committed.put(request.groupId(), partition.committedOffset());
            return new OffsetCommitResponseData();
        });
        fake.answer(OffsetDeleteRequestData.class, request -> {
            changes.add("delete " + request.topics().iterator().next().name());
            return new OffsetDeleteResponseData();
        });
        fake.answer(LeaveGroupRequestData.class, request -> {
            request.members().forEach(member -> changes.add("leave " + member.memberId() + " " + member
                    .groupInstanceId()));
            return new LeaveGroupResponseData();
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "\"earliest\"              | 10  | false",
            "\"latest\"                | 100 | false",
            "{\"offset\":55}           | 55  | false",
            "{\"offset\":5}            | 10  | true",
            "{\"offset\":500}          | 100 | true",
            "{\"timestamp\":1234}      | 70  | false",
            "{\"timestamp\":\"2026-01-01T00:00:00Z\"} | 70 | false",
            "{\"by_duration\":\"PT1H\"} | 70 | false",
            "{\"shift\":-15}           | 25  | false",
            "{\"shift\":-99}           | 10  | true",
            "{\"from_group\":\"other\"} | 20 | false",
    })
    void resetIsPreviewedUnlessItIsMeant(String to, long next, boolean outOfRange) throws Exception {
        call("POST", SHOP + "/offsets:reset", "{\"to\":" + to + "}").andExpect(status().isOk())
                .andExpect(jsonPath("$.applied").value(false))
                .andExpect(jsonPath("$.data[0].current").value(40))
                .andExpect(jsonPath("$.data[0].next").value(next))
                .andExpect(jsonPath("$.data[0].delta_messages").value(next - 40))
                .andExpect(jsonPath("$.data[0].out_of_range").value(outOfRange));
        assertThat(changes).isEmpty();
    }

    @Test
    void resetIsAppliedAndCanBeUndone() throws Exception {
        call("POST", SHOP + "/offsets:reset", "{\"to\":\"earliest\",\"topics\":[{\"topic\":\"orders\","
                + "\"partitions\":[0]}],\"preview\":false}").andExpect(jsonPath("$.applied").value(true))
                .andExpect(jsonPath("$.undo.offsets[0].offset").value(40));
        assertThat(changes).containsExactly("commit -1 10");

        call("PATCH", SHOP + "/offsets", "{\"offsets\":[{\"topic_name\":\"orders\",\"partition_id\":0,\"offset\":40}]}")
                .andExpect(status().isOk()).andExpect(jsonPath("$.data[0].committed_offset").value(40));
    }

    @Test
    void groupWithMembersIsLeftAloneUnlessTheyAreSentAway() throws Exception {
        members.add(new DescribedGroupMember().setMemberId("m").setGroupInstanceId("i"));
        call("POST", SHOP + "/offsets:reset", "{\"to\":\"earliest\",\"preview\":false}").andExpect(status()
                .isConflict())
                .andExpect(jsonPath("$.error_code").value(40902));
        assertThat(changes).isEmpty();
        call("POST", SHOP + "/offsets:reset", "{\"to\":\"earliest\",\"preview\":false,\"force\":true}").andExpect(
                status().isOk());
        assertThat(changes).containsExactly("leave m i", "commit -1 10");
    }

    @Test
    void memberIsSentAway() throws Exception {
        members.add(new DescribedGroupMember().setMemberId("m"));
        call("DELETE", SHOP + "/consumers/m").andExpect(status().isNoContent());
        call("DELETE", SHOP + "/consumers/n").andExpect(status().isNotFound());
        assertThat(changes).containsExactly("leave m null");
    }

    @Test
    void offsetsAreListedAndForgotten() throws Exception {
        call("GET", SHOP + "/offsets").andExpect(jsonPath("$.data[0].committed_offset").value(40));
        call("DELETE", SHOP + "/offsets/orders").andExpect(status().isNoContent());
        call("DELETE", SHOP + "/offsets").andExpect(status().isNoContent());
        call("DELETE", SHOP + "/offsets/none").andExpect(status().isNotFound());
        assertThat(changes).containsExactly("delete orders", "delete orders");
    }

    @Test
    void lagHasAnAgeWhereAllIsRead() throws Exception {
        committed.put("shop", 100L);
        call("GET", SHOP + "/lags").andExpect(jsonPath("$.data[0].lag_seconds").value(0.0));
        committed.put("shop", 90L);
        call("GET", SHOP + "/lags").andExpect(status().isOk()).andExpect(jsonPath("$.data[0].lag").value(10))
                .andExpect(jsonPath("$.data[0].lag_seconds").isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"nowhere\"", "5", "{}", "{\"offset\":-1}", "{\"offset\":\"5\"}", "{\"shift\":1.5}",
            "{\"timestamp\":\"noon\"}", "{\"by_duration\":\"1h\"}", "{\"by_duration\":\"-PT1H\"}", "{\"from_group\":7}",
            "{\"offset\":1,\"shift\":2}", "{\"elsewhere\":1}", "null", "[]"})
    void whereThatCannotBeIsRefused(String to) throws Exception {
        call("POST", SHOP + "/offsets:reset", "{\"to\":" + to + "}").andExpect(status().isBadRequest())
                .andExpect(jsonPath("$.error_code").value(400));
    }
}
