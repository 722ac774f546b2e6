/// Produce: a batch is checked, appended on the event loop that received it, and answered once it is as safe as its
/// producer asked for.
@NullMarked
package io.millrace.broker.produce;

import org.jspecify.annotations.NullMarked;
