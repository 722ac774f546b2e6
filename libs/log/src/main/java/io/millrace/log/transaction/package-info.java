/// Kafka's index of aborted transactions (`.txnindex`): which stretches of a segment belong to transactions that came to
/// nothing. The cleaner drops what lies in them, and readers of committed records are told of them.
@NullMarked
package io.millrace.log.transaction;

import org.jspecify.annotations.NullMarked;
