/// Writers and readers that go on beside a test, on the Java client and on librdkafka (by kcat), and remember what they
/// sent, were promised and saw. Each has a thread or a process of its own, which ends with it.
@NullMarked
package io.millrace.tests.load;

import org.jspecify.annotations.NullMarked;
