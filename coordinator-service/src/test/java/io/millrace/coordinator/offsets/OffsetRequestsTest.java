package io.millrace.coordinator.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;

import io.millrace.coordinator.record.CommittedOffset;
import io.millrace.coordinator.record.GroupRecord.OffsetPut;
import io.millrace.coordinator.record.GroupRecord.OffsetRemoved;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OffsetRequestsTest {
    private final GroupOffsets offsets = new GroupOffsets();

    @ParameterizedTest
    @CsvSource({"4096, NONE", "4097, OFFSET_METADATA_TOO_LARGE"})
    void textIsTakenUpToItsLimitInBytesAndRefusedForThatPartitionAlone(int bytes, Errors error) {
        var request = commit(-1, partition(0, ""), partition(1, "ü".repeat(bytes / 2) + "x".repeat(bytes % 2)));

        var commit = OffsetCommits.decide(request, 4096, 1000);

        assertThat(commit.response().topics().getFirst().partitions())
                .extracting(partition -> Errors.forCode(partition.errorCode())).containsExactly(Errors.NONE, error);
        assertThat(commit.records()).hasSize(error == Errors.NONE ? 2 : 1);
    }

    @Test
    void aCommitWithARetentionOfItsOwnKeepsItsExpiry() {
        var commit = OffsetCommits.decide(commit(500, partition(0, null)), 4096, 1000);

        assertThat(commit.records()).containsExactly(
                new OffsetPut("g", "t", 0, new CommittedOffset(9, 2, "", 1000, 1500)));
    }

    @Test
    void aPartitionWithoutACommitIsAnsweredWithoutAnError() {
        offsets.put("t", 1, new CommittedOffset(9, 2, "text", 1000, -1));
        var request = new OffsetFetchRequestGroup().setGroupId("g").setTopics(
                List.of(new OffsetFetchRequestTopics().setName("t").setPartitionIndexes(List.of(0, 1))));

        var partitions = OffsetFetches.fetch(request, offsets).topics().getFirst().partitions();

        assertThat(partitions).allMatch(partition -> partition.errorCode() == Errors.NONE.code());
        assertThat(partitions.get(0).committedOffset()).isEqualTo(-1);
        assertThat(partitions.get(0).metadata()).isEmpty();
        assertThat(partitions.get(1).committedOffset()).isEqualTo(9);
        assertThat(partitions.get(1).committedLeaderEpoch()).isEqualTo(2);
        assertThat(partitions.get(1).metadata()).isEqualTo("text");
    }

    @Test
    void noListOfTopicsAsksForAll() {
        offsets.put("t", 1, new CommittedOffset(9, 2, "", 1000, -1));
        offsets.put("u", 0, new CommittedOffset(8, 2, "", 1000, -1));

        var answer = OffsetFetches.fetch(new OffsetFetchRequestGroup().setGroupId("g").setTopics(null), offsets);

        assertThat(answer.topics()).extracting(topic -> topic.name()).containsExactlyInAnyOrder("t", "u");
    }

    @Test
    void offsetsOfTopicsThatAreReadAreNotDeleted() {
        offsets.put("read", 0, new CommittedOffset(9, 2, "", 1000, -1));
        offsets.put("left", 0, new CommittedOffset(9, 2, "", 1000, -1));
        var use = new GroupUse.Subscribed(Set.of("read"));

        var deletion = OffsetDeletions.decide(delete("read", "left", "gone"), offsets, new PendingOffsets(), use,
                (topic, _) -> !topic.equals("gone"));

        assertThat(deletion.records()).containsExactly(new OffsetRemoved("g", "left", 0));
        assertThat(deletion.response().topics())
                .extracting(topic -> Errors.forCode(topic.partitions().iterator().next().errorCode())).containsExactly(
                        Errors.GROUP_SUBSCRIBED_TO_TOPIC, Errors.NONE, Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void whatATransactionCommittedThatHasNotEndedIsDeletedToo() {
        var pending = new PendingOffsets();
        pending.put(7, new OffsetPut("g", "t", 0, new CommittedOffset(9, 2, "", 1000, -1)));
        pending.put(7, new OffsetPut("other", "t", 0, new CommittedOffset(9, 2, "", 1000, -1)));

        var deletion = OffsetDeletions.decide(delete("t"), offsets, pending, new GroupUse.Simple(), (_, _) -> true);

        assertThat(deletion.records()).containsExactly(new OffsetRemoved("g", "t", 0));
    }

    @Test
    void aGroupWhoseTopicsCannotBeToldKeepsItsOffsets() {
        var deletion = OffsetDeletions.decide(delete("t"), offsets, new PendingOffsets(),
                new GroupUse.InUse(), (_, _) -> true);

        assertThat(Errors.forCode(deletion.response().errorCode())).isEqualTo(Errors.NON_EMPTY_GROUP);
        assertThat(deletion.records()).isEmpty();
    }

    private static OffsetCommitRequestPartition partition(int index, @Nullable String metadata) {
        return new OffsetCommitRequestPartition().setPartitionIndex(index).setCommittedOffset(9)
                .setCommittedLeaderEpoch(2).setCommittedMetadata(metadata);
    }

    private static OffsetCommitRequestData commit(long retention, OffsetCommitRequestPartition... partitions) {
        return new OffsetCommitRequestData().setGroupId("g").setRetentionTimeMs(retention).setTopics(
                List.of(new OffsetCommitRequestTopic().setName("t").setPartitions(List.of(partitions))));
    }

    private static OffsetDeleteRequestData delete(String... names) {
        var topics = new OffsetDeleteRequestTopicCollection(names.length);
        for (var name : names) {
            topics.add(new OffsetDeleteRequestTopic().setName(name)
                    .setPartitions(List.of(new OffsetDeleteRequestPartition().setPartitionIndex(0))));
        }
        return new OffsetDeleteRequestData().setGroupId("g").setTopics(topics);
    }
}
