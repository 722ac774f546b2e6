/// Log directories of brokers.
@NullMarked
package io.millrace.admin.logdir;

import org.jspecify.annotations.NullMarked;
