package io.millrace.log.batch;

import java.nio.ByteBuffer;

import org.apache.kafka.common.protocol.Errors;

/// Goes over the records of an uncompressed batch without an object for each: are there as many as the header says, one
/// after the other to the very end, with the offsets 0, 1, 2, ...?
final class RecordWalk {
    private final Batch batch;
    private final ByteBuffer buffer;
    private final RecordRules rules;
    private final int end;
    private int at;

    RecordWalk(Batch batch, RecordRules rules) {
        this.batch = batch;
        this.buffer = batch.buffer();
        this.rules = rules;
        this.end = batch.start() + batch.sizeBytes();
        this.at = batch.start() + Batch.HEADER_BYTES;
    }

    /// @return the largest time of a record
    /// @throws LogRefused INVALID_RECORD
    long run() {
        long maxTimestamp = Batch.NO_TIMESTAMP;
        int count = batch.count();
        for (int index = 0; index < count; index++) {
            maxTimestamp = Math.max(maxTimestamp, record(index));
        }
        if (at != end) {
            throw broken(count, "%d bytes are left over after the last record".formatted(end - at));
        }
        return maxTimestamp;
    }

    private long record(int index) {
        int size = varint(index);
        if (size < 0 || size > end - at) {
            throw broken(index, "record %d has %d bytes, the batch %d left".formatted(index, size, end - at));
        }
        int recordEnd = at + size;
        at++; // attributes: none is in use
        long timestamp = batch.baseTimestamp() + varlong(index);
        int offsetDelta = varint(index);
        if (offsetDelta != index) {
            throw broken(index, "record %d has offset delta %d".formatted(index, offsetDelta));
        }
        int keyBytes = varint(index);
        skip(keyBytes, recordEnd, index);
        skip(varint(index), recordEnd, index);
        rules.check(index, timestamp, keyBytes >= 0);
        int headers = varint(index);
        if (at > recordEnd || headers < 0 || headers > recordEnd - at || (headers == 0 && at != recordEnd)) {
            throw broken(index, "record %d has %d headers in %d bytes".formatted(index, headers, recordEnd - at));
        }
        at = recordEnd;
        return timestamp;
    }

    private void skip(int bytes, int recordEnd, int index) {
        if (bytes > recordEnd - at || bytes < -1) {
            throw broken(index, "record %d has a field of %d bytes".formatted(index, bytes));
        }
        at += Math.max(0, bytes);
    }

    private int varint(int index) {
        long value = varlong(index);
        if (value != (int) value) {
            throw broken(index, "record %d has a number out of range".formatted(index));
        }
        return (int) value;
    }

    private long varlong(int index) {
        long raw = 0;
        for (int shift = 0; shift < Long.SIZE && at < end; shift += 7) {
            byte next = buffer.get(at++);
            raw |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return (raw >>> 1) ^ -(raw & 1);
            }
        }
        throw broken(index, "record %d ends inside a number".formatted(index));
    }

    private LogRefused broken(int index, String message) {
        return rules.refused(Errors.INVALID_RECORD, index, message);
    }
}
