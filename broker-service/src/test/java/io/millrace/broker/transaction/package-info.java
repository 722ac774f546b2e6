/// Tests.
@NullMarked
package io.millrace.broker.transaction;

import org.jspecify.annotations.NullMarked;
