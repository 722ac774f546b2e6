/// Transactions as Kafka's coordinator decides about them: what each event makes of a transactional id. Pure: a state and
/// an event in, a decision out; nothing is known here of logs, markers on their way, or threads.
@NullMarked
package io.millrace.coordinator.transaction;

import org.jspecify.annotations.NullMarked;
