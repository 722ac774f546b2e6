/// What clients wrote, were promised, and read, and whether it fits together. Pure: values in, findings out.
@NullMarked
package io.millrace.tests.history;

import org.jspecify.annotations.NullMarked;
