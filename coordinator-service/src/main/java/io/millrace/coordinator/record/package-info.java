/// The records of `__consumer_offsets` and `__transaction_state` in Kafka's own format, both ways: what Kafka 3.9 writes
/// (of transactions: what Kafka 4 writes) is what this writes, and what it or an older one wrote is read. Pure; no state,
/// any thread.
///
/// Kafka generates its classes for these from schemas that are not part of its client library; the schemas are restated
/// in [io.millrace.coordinator.record.GroupRecordCodec] and [io.millrace.coordinator.record.TransactionRecordCodec], where each field stands in its order.
@NullMarked
package io.millrace.coordinator.record;

import org.jspecify.annotations.NullMarked;
