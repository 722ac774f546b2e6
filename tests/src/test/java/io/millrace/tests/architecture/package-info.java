/// The borders between rooms, as rules that fail the build.
@NullMarked
package io.millrace.tests.architecture;

import org.jspecify.annotations.NullMarked;
