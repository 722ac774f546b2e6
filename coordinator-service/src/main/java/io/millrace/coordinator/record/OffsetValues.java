package io.millrace.coordinator.record;

import static io.millrace.coordinator.record.CommittedOffset.NONE;

/// The value of a committed offset. Fields and the versions that have them:
///
/// | field | type | versions |
/// |---|---|---|
/// | offset | int64 | all |
/// | leaderEpoch | int32 | 3+ |
/// | metadata | string | all |
/// | commitTimestamp | int64 | all |
/// | expireTimestamp | int64 | 1 only |
/// | topicId | uuid, tag 0 | 4+, which is flexible; passed over, for the key names the topic |
final class OffsetValues {
    private static final short WITH_EXPIRY = 1;
    private static final short WITH_LEADER_EPOCH = 3;
    private static final short FLEXIBLE = 4;

    private OffsetValues() {}

    /// Version 3, as Kafka 3.9; version 1, without the leader epoch, where an expiry must be kept, also as Kafka.
    static Bytes encode(CommittedOffset value) {
        boolean expires = value.expireTimestamp() != NONE;
        var out = new SchemaWriter().int16(expires ? WITH_EXPIRY : WITH_LEADER_EPOCH).int64(value.offset());
        if (!expires) {
            out.int32(value.leaderEpoch());
        }
        out.string(value.metadata()).int64(value.commitTimestamp());
        if (expires) {
            out.int64(value.expireTimestamp());
        }
        return out.bytes();
    }

    static CommittedOffset decode(SchemaReader in) {
        short version = in.int16();
        if (version < 0 || version > FLEXIBLE) {
            throw new MalformedRecord("offset value of version " + version);
        }
        boolean compact = version >= FLEXIBLE;
        long offset = in.int64();
        int leaderEpoch = version >= WITH_LEADER_EPOCH ? in.int32() : NONE;
        var metadata = in.string(compact);
        long commitTimestamp = in.int64();
        long expireTimestamp = version == WITH_EXPIRY ? in.int64() : NONE;
        return new CommittedOffset(offset, leaderEpoch, metadata, commitTimestamp, expireTimestamp);
    }
}
