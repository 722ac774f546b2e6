/// Kafka's index of aborted transactions (`.txnindex`): which stretches of a segment belong to transactions that came to
/// nothing. The cleaner drops what lies in them. Guarded by the log's lock, but for reads of segments that no longer change.
@NullMarked
package io.millrace.log.transaction;

import org.jspecify.annotations.NullMarked;
