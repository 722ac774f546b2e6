/// Who leads a partition and what its ISR becomes when brokers come and go. Pure: values in, values out, on any thread.
@NullMarked
package io.millrace.controller.partition;

import org.jspecify.annotations.NullMarked;
