/// How the leaders of this broker change their ISRs: looking for followers that fell behind, and asking the controller.
///
/// All of it runs on one loop, which is passed in.
@NullMarked
package io.millrace.broker.isr;

import org.jspecify.annotations.NullMarked;
