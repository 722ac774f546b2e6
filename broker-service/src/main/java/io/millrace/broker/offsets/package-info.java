/// Lookups of offsets by time and by leader epoch, and deletion of records. What reads or writes files runs on the disk's
/// threads.
@NullMarked
package io.millrace.broker.offsets;

import org.jspecify.annotations.NullMarked;
