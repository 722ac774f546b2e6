package io.millrace.coordinator.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;

import io.millrace.coordinator.group.classic.GroupEvent;
import io.millrace.coordinator.offsets.GroupOffsets;
import io.millrace.coordinator.offsets.OffsetCommits;
import io.millrace.coordinator.offsets.OffsetDeletions;
import io.millrace.coordinator.offsets.OffsetExpiry;
import io.millrace.coordinator.offsets.OffsetFetches;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.GroupRemoved;
import io.millrace.coordinator.record.GroupRecord.OffsetRemoved;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.protocol.Errors;

/// The committed offsets of a shard's groups. Belongs to the shard's loop.
@Slf4j
final class OffsetStore {
    /// A record that changes nothing.
    private static final GroupRecord NOTHING = new GroupRemoved("");

    private final ShardSettings settings;
    private final ShardRuntime runtime;
    private final GroupTable table;
    private final AppendQueue<GroupRecord> appends;
    private final ClassicGroups groups;
    private final GroupWorld world;

    OffsetStore(ShardSettings settings, ShardRuntime runtime, GroupTable table, AppendQueue<GroupRecord> appends,
            ClassicGroups groups, GroupWorld world) {
        this.settings = settings;
        this.runtime = runtime;
        this.table = table;
        this.appends = appends;
        this.groups = groups;
        this.world = world;
    }

    CompletableFuture<OffsetCommitResponseData> commit(OffsetCommitRequestData request) {
        return admit(request, false).orElseGet(() -> admitted(request));
    }

    /// Lets a commit in, or answers it; one that was let in counts as a sign of life.
    ///
    /// @param inTransaction such clients may be outside of any generation while others are in one, and those of a generation
    ///     may come while it is being completed, as Kafka allows
    Optional<CompletableFuture<OffsetCommitResponseData>> admit(OffsetCommitRequestData request,
            boolean inTransaction) {
        boolean outside = inTransaction && request.generationIdOrMemberEpoch() < 0 && request.memberId().isEmpty()
                && request.groupInstanceId() == null;
        var refusal = refusal(request, inTransaction);
        if (refusal != Errors.NONE && !(outside && refusal == Errors.UNKNOWN_MEMBER_ID)) {
            return Optional.of(CompletableFuture.completedFuture(OffsetCommits.refused(request, refusal)));
        }
        boolean classic = table.find(request.groupId()).flatMap(GroupSlot::consumer).isEmpty();
        if (classic && !request.memberId().isEmpty()) {
            groups.happen(request.groupId(), new GroupEvent.Committed(request.memberId()));
        }
        return Optional.empty();
    }

    private CompletableFuture<OffsetCommitResponseData> admitted(OffsetCommitRequestData request) {
        var commit = OffsetCommits.decide(request, settings.maxMetadataBytes(), runtime.clock().millis());
        if (commit.records().isEmpty()) {
            return CompletableFuture.completedFuture(commit.response());
        }
        var answer = new CompletableFuture<OffsetCommitResponseData>();
        var slot = table.findOrCreate(request.groupId());
        slot.commitBegins();
        appends.append(commit.records(), error -> {
            slot.commitEnds();
            if (error == Errors.NONE) {
                commit.records().forEach(table::replay);
                runtime.metrics().committed(commit.records().size());
                answer.complete(commit.response());
            } else {
                table.forgetIfBlank(slot);
                answer.complete(OffsetCommits.refused(request, AppendErrors.forCommit(error)));
            }
        });
        return answer;
    }

    /// A group that is not known takes commits from clients that are in no generation, and no others.
    private Errors refusal(OffsetCommitRequestData request, boolean inTransaction) {
        var slot = table.find(request.groupId());
        if (slot.isEmpty()) {
            return request.generationIdOrMemberEpoch() < 0 ? Errors.NONE : Errors.ILLEGAL_GENERATION;
        }
        return slot.get().commitAllowed(request, inTransaction);
    }

    /// Answered once it is sure that no newer owner knows better.
    CompletableFuture<OffsetFetchResponseGroup> fetch(OffsetFetchRequestGroup request) {
        var answer = new CompletableFuture<OffsetFetchResponseGroup>();
        appends.confirm(NOTHING, error -> answer.complete(error == Errors.NONE
                ? fetched(request)
                : OffsetFetches.refused(request, AppendErrors.forClient(error))));
        return answer;
    }

    /// All that is known here, which may be old.
    OffsetFetchResponseGroup known(String groupId) {
        return OffsetFetches.fetch(new OffsetFetchRequestGroup().setGroupId(groupId).setTopics(null),
                table.find(groupId).map(GroupSlot::offsets).orElseGet(GroupOffsets::new));
    }

    private OffsetFetchResponseGroup fetched(OffsetFetchRequestGroup request) {
        var slot = table.find(request.groupId());
        var refusal = slot.map(found -> found.fetchAllowed(request)).orElse(Errors.NONE);
        return refusal == Errors.NONE
                ? OffsetFetches.fetch(request, slot.map(GroupSlot::offsets).orElseGet(GroupOffsets::new))
                : OffsetFetches.refused(request, refusal);
    }

    /// Decided behind all commits that came before it.
    CompletableFuture<OffsetDeleteResponseData> delete(OffsetDeleteRequestData request,
            BiPredicate<String, Integer> partitionExists) {
        var answer = new CompletableFuture<OffsetDeleteResponseData>();
        appends.append(List.of(), earlier -> {
            var slot = table.find(request.groupId());
            if (earlier != Errors.NONE || slot.isEmpty()) {
                answer.complete(new OffsetDeleteResponseData().setErrorCode(earlier == Errors.NONE
                        ? Errors.GROUP_ID_NOT_FOUND.code()
                        : AppendErrors.forClient(earlier).code()));
                return;
            }
            var deletion = OffsetDeletions.decide(request, slot.get().offsets(), table.pending(), slot.get()
                    .use(world.topics().get()), partitionExists);
            appends.append(deletion.records(), error -> {
                if (error == Errors.NONE) {
                    deletion.records().forEach(table::replay);
                    answer.complete(deletion.response());
                } else {
                    answer.complete(new OffsetDeleteResponseData().setErrorCode(AppendErrors.forClient(error).code()));
                }
            });
        });
        return answer;
    }

    /// Topics are gone, and with them what was committed for them. A failure is made good when the offsets expire.
    void topicsDeleted(Set<String> topics) {
        for (var slot : table.all()) {
            var records = table.removals(slot, topics::contains);
            if (!records.isEmpty()) {
                appends.append(records, error -> replayed(records, error, slot.groupId(), "topic deleted"));
            }
        }
    }

    /// Lets offsets that are too old go, and empty groups with the last of them.
    void expire() {
        var pending = table.pending().groups();
        for (var slot : table.all()) {
            // With commits on their way nothing here is old for sure; there will be another check.
            if (!slot.isBusy() && !pending.contains(slot.groupId())) {
                expire(slot);
            }
        }
    }

    private void expire(GroupSlot slot) {
        var expired = OffsetExpiry.expired(slot.groupId(), slot.offsets(), slot.use(world.topics().get()), settings
                .retention().toMillis(),
                runtime.clock().millis());
        boolean leaves = slot.isEmpty() && expired.size() == slot.offsets().size();
        if (expired.isEmpty() && !leaves) {
            return;
        }
        var records = new ArrayList<>(expired);
        if (leaves) {
            records.addAll(slot.removal());
            table.die(slot);
        }
        appends.append(records, error -> {
            if (leaves && error != Errors.NONE) {
                table.revive(slot);
            }
            replayed(records, error, slot.groupId(), "expired");
        });
    }

    private void replayed(List<GroupRecord> records, Errors error, String groupId, String why) {
        int removed = (int) records.stream().filter(OffsetRemoved.class::isInstance).count();
        if (error == Errors.NONE) {
            records.forEach(table::replay);
            runtime.metrics().expired(removed);
            log.info("offsets removed group={} offsets={} reason=\"{}\"", groupId, removed, why);
        } else {
            log.warn("offsets not removed group={} offsets={} reason=\"{}\" error={}", groupId, removed, why, error);
        }
    }
}
