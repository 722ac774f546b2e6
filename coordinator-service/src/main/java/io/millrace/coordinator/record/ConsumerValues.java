package io.millrace.coordinator.record;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

import io.millrace.coordinator.record.ConsumerGroupRecord.EpochPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.PatternPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetEpochPut;
import io.millrace.coordinator.record.MemberAssignment.State;
import io.millrace.coordinator.record.MemberMetadata.Classic;
import io.millrace.coordinator.record.MemberMetadata.ClassicProtocol;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/// Values of consumer groups. All are of version 0 and flexible; tagged fields that came with Kafka 4 are written where
/// they say something, and passed over by 3.9.
///
/// | value | fields |
/// |---|---|
/// | group | epoch int32; tag 0: metadataHash int64 |
/// | member | instanceId?, rackId?, clientId, clientHost, topics, pattern?, rebalanceTimeout int32, serverAssignor?; tag 0: classic? |
/// | … classic | sessionTimeout int32, protocols of name and subscription bytes |
/// | target epoch | epoch int32; tag 0: timestamp int64 |
/// | target | topics of id and partitions int32 |
/// | current | epoch int32, previous int32, state int8, assigned and pendingRevocation as in a target |
/// | pattern | topics, version int64, timestamp int64 |
final class ConsumerValues {
    private static final short VERSION = 0;
    /// Kafka's mark before a nullable structure that is there.
    private static final byte PRESENT = 1;

    private ConsumerValues() {}

    static SchemaReader begin(ByteBuffer value) {
        var in = new SchemaReader(value);
        short version = in.int16();
        if (version != VERSION) {
            throw new MalformedRecord("value of a consumer group of version " + version);
        }
        return in;
    }

    static Bytes epoch(int epoch, long hash) {
        var out = begin().int32(epoch);
        return (hash == 0 ? out.noTags() : out.tag0(new SchemaWriter().int64(hash).bytes())).bytes();
    }

    static EpochPut epoch(String group, SchemaReader in) {
        int epoch = in.int32();
        return new EpochPut(group, epoch, in.tag0().map(SchemaReader::int64).orElse(0L));
    }

    static Bytes targetEpoch(int epoch, long timestamp) {
        var out = begin().int32(epoch);
        return (timestamp == 0 ? out.noTags() : out.tag0(new SchemaWriter().int64(timestamp).bytes())).bytes();
    }

    static TargetEpochPut targetEpoch(String group, SchemaReader in) {
        int epoch = in.int32();
        return new TargetEpochPut(group, epoch, in.tag0().map(SchemaReader::int64).orElse(0L));
    }

    static Bytes member(MemberMetadata value) {
        var out = begin().compactString(value.instanceId()).compactString(value.rackId())
                .compactString(value.clientId()).compactString(value.clientHost())
                .compactArray(value.topics(), SchemaWriter::compactString).compactString(value.pattern())
                .int32(value.rebalanceTimeoutMillis()).compactString(value.serverAssignor());
        var classic = value.classic();
        return (classic == null ? out.noTags() : out.tag0(classic(classic))).bytes();
    }

    static MemberMetadata member(SchemaReader in) {
        var instanceId = in.nullableString(true);
        var rackId = in.nullableString(true);
        var clientId = in.string(true);
        var clientHost = in.string(true);
        var topics = in.compactArray(element -> element.string(true));
        var pattern = in.nullableString(true);
        int rebalanceTimeout = in.int32();
        var assignor = in.nullableString(true);
        return new MemberMetadata(instanceId, rackId, clientId, clientHost, topics, pattern, rebalanceTimeout, assignor,
                in.tag0().map(ConsumerValues::classic).orElse(null));
    }

    private static Bytes classic(Classic value) {
        return new SchemaWriter().int8(PRESENT).int32(value.sessionTimeoutMillis())
                .compactArray(value.protocols(), (out, protocol) -> out.compactString(protocol.name())
                        .compactByteArray(protocol.subscription()).noTags())
                .noTags().bytes();
    }

    private static @Nullable Classic classic(SchemaReader in) {
        if (in.int8() != PRESENT) {
            return null;
        }
        return new Classic(in.int32(), in.compactArray(element -> {
            var protocol = new ClassicProtocol(element.string(true), element.byteArray(true));
            element.skipTags();
            return protocol;
        }));
    }

    static Bytes target(Partitions value) {
        return partitions(begin(), value).noTags().bytes();
    }

    static Partitions target(SchemaReader in) {
        return partitions(in);
    }

    static Bytes current(MemberAssignment value) {
        var out = begin().int32(value.epoch()).int32(value.previousEpoch()).int8(value.state().code());
        return partitions(partitions(out, value.assigned()), value.pendingRevocation()).noTags().bytes();
    }

    static MemberAssignment current(SchemaReader in) {
        return new MemberAssignment(in.int32(), in.int32(), State.of(in.int8()), partitions(in), partitions(in));
    }

    static Bytes pattern(List<String> topics, long version, long timestamp) {
        return begin().compactArray(topics, SchemaWriter::compactString).int64(version).int64(timestamp).noTags()
                .bytes();
    }

    static PatternPut pattern(String group, String pattern, SchemaReader in) {
        return new PatternPut(group, pattern, in.compactArray(element -> element.string(true)), in.int64(), in
                .int64());
    }

    private static SchemaWriter begin() {
        return new SchemaWriter().int16(VERSION);
    }

    private static SchemaWriter partitions(SchemaWriter out, Partitions value) {
        return out.compactArray(value.byTopic().entrySet(), ConsumerValues::topic);
    }

    private static void topic(SchemaWriter out, Map.Entry<Uuid, SortedSet<Integer>> topic) {
        out.uuid(topic.getKey()).compactArray(topic.getValue(), SchemaWriter::int32).noTags();
    }

    private static Partitions partitions(SchemaReader in) {
        var byTopic = new HashMap<Uuid, List<Integer>>();
        in.compactArray(element -> {
            byTopic.put(element.uuid(), element.compactArray(SchemaReader::int32));
            element.skipTags();
            return element;
        });
        return Partitions.of(byTopic);
    }
}
