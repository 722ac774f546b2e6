package io.millrace.wire.api;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Optional;

import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.protocol.types.RawTaggedField;

/// Which request of which coordinator a WriteTxnMarkers is, carried as a tagged field that Kafka's schema does not know.
/// A coordinator has one request under way to a node: whatever comes behind a newer one was given up and is late, and the
/// transaction that it is to end may be over, and its producer's next one begun. Needs WriteTxnMarkers version 1 or later,
/// the first with tagged fields.
///
/// @param coordinator its node id
/// @param registration of its process: higher than those of all processes before it under that id
/// @param number goes up with each request of the process
public record MarkerStamp(int coordinator, long registration, long number) {
    static final int TAG = 10_000;
    private static final int SIZE = Integer.BYTES + 2 * Long.BYTES;
    private static final Comparator<MarkerStamp> AGE = Comparator.comparingLong(MarkerStamp::registration)
            .thenComparingLong(MarkerStamp::number);

    /// Marks `request`; replaces an earlier mark.
    public void mark(WriteTxnMarkersRequestData request) {
        var fields = request.unknownTaggedFields();
        fields.removeIf(field -> field.tag() == TAG);
        fields.add(new RawTaggedField(TAG, ByteBuffer.allocate(SIZE).putInt(coordinator).putLong(registration)
                .putLong(number).array()));
    }

    /// What `request` is marked with; empty where it has no mark, or one that is none.
    public static Optional<MarkerStamp> of(WriteTxnMarkersRequestData request) {
        for (var field : request.unknownTaggedFields()) {
            if (field.tag() == TAG && field.size() == SIZE) {
                var mark = ByteBuffer.wrap(field.data());
                return Optional.of(new MarkerStamp(mark.getInt(), mark.getLong(), mark.getLong()));
            }
        }
        return Optional.empty();
    }

    /// Whether `other`, of the same coordinator, is a later request.
    boolean isBefore(MarkerStamp other) {
        return AGE.compare(this, other) < 0;
    }
}
