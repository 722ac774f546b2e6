package io.millrace.coordinator.record;

import java.nio.ByteBuffer;
import java.util.Optional;

import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.EpochPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.EpochRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.MemberPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.MemberRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.PatternPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.PatternRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetEpochPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetEpochRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetRemoved;
import org.jspecify.annotations.Nullable;

/// Keys of consumer groups: an int16 that names the kind of record, then strings.
///
/// | kind | record | key | value, flexible, version 0 |
/// |---|---|---|---|
/// | 3 | ConsumerGroupMetadata | group | [ConsumerValues] |
/// | 4 | ConsumerGroupPartitionMetadata | group | of Kafka 3.9 and 4.0, passed over |
/// | 5 | ConsumerGroupMemberMetadata | group, member | |
/// | 6 | ConsumerGroupTargetAssignmentMetadata | group | |
/// | 7 | ConsumerGroupTargetAssignmentMember | group, member | |
/// | 8 | ConsumerGroupCurrentMemberAssignment | group, member | |
/// | 16 | ConsumerGroupRegularExpression | group, pattern | |
final class ConsumerRecordCodec {
    private static final short GROUP = 3;
    private static final short MEMBER = 5;
    private static final short TARGET_EPOCH = 6;
    private static final short TARGET = 7;
    private static final short CURRENT = 8;
    private static final short PATTERN = 16;

    private ConsumerRecordCodec() {}

    static EncodedRecord encode(ConsumerGroupRecord record) {
        return switch (record) {
            case EpochPut(var group, var epoch, var hash) ->
                new EncodedRecord(key(GROUP, group), ConsumerValues.epoch(epoch, hash));
            case EpochRemoved(var group) -> new EncodedRecord(key(GROUP, group), null);
            case MemberPut(var group, var member, var value) ->
                new EncodedRecord(key(MEMBER, group, member), ConsumerValues.member(value));
            case MemberRemoved(var group, var member) -> new EncodedRecord(key(MEMBER, group, member), null);
            case TargetEpochPut(var group, var epoch, var timestamp) ->
                new EncodedRecord(key(TARGET_EPOCH, group), ConsumerValues.targetEpoch(epoch, timestamp));
            case TargetEpochRemoved(var group) -> new EncodedRecord(key(TARGET_EPOCH, group), null);
            case TargetPut(var group, var member, var value) ->
                new EncodedRecord(key(TARGET, group, member), ConsumerValues.target(value));
            case TargetRemoved(var group, var member) -> new EncodedRecord(key(TARGET, group, member), null);
            case CurrentPut(var group, var member, var value) ->
                new EncodedRecord(key(CURRENT, group, member), ConsumerValues.current(value));
            case CurrentRemoved(var group, var member) -> new EncodedRecord(key(CURRENT, group, member), null);
            case PatternPut(var group, var pattern, var topics, var version, var timestamp) ->
                new EncodedRecord(key(PATTERN, group, pattern), ConsumerValues.pattern(topics, version, timestamp));
            case PatternRemoved(var group, var pattern) -> new EncodedRecord(key(PATTERN, group, pattern), null);
        };
    }

    /// @param kind already read from `key`
    static Optional<GroupRecord> decode(short kind, SchemaReader key, @Nullable ByteBuffer value) {
        var in = value == null ? null : ConsumerValues.begin(value);
        return switch (kind) {
            case GROUP -> {
                var group = key.string(false);
                yield Optional.of(in == null ? new EpochRemoved(group) : ConsumerValues.epoch(group, in));
            }
            case TARGET_EPOCH -> {
                var group = key.string(false);
                yield Optional.of(in == null ? new TargetEpochRemoved(group) : ConsumerValues.targetEpoch(group, in));
            }
            case MEMBER -> {
                var group = key.string(false);
                var member = key.string(false);
                yield Optional.of(in == null
                        ? new MemberRemoved(group, member)
                        : new MemberPut(group, member, ConsumerValues.member(in)));
            }
            case TARGET -> {
                var group = key.string(false);
                var member = key.string(false);
                yield Optional.of(in == null
                        ? new TargetRemoved(group, member)
                        : new TargetPut(group, member, ConsumerValues.target(in)));
            }
            case CURRENT -> {
                var group = key.string(false);
                var member = key.string(false);
                yield Optional.of(in == null
                        ? new CurrentRemoved(group, member)
                        : new CurrentPut(group, member, ConsumerValues.current(in)));
            }
            case PATTERN -> {
                var group = key.string(false);
                var pattern = key.string(false);
                yield Optional.of(
                        in == null ? new PatternRemoved(group, pattern) : ConsumerValues.pattern(group, pattern, in));
            }
            default -> Optional.empty();
        };
    }

    private static Bytes key(short kind, String... parts) {
        var out = new SchemaWriter().int16(kind);
        for (var part : parts) {
            out.string(part);
        }
        return out.bytes();
    }
}
