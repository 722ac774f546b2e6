/// The seam to files: everything that this library reads or writes goes through it, so that tests can make it fail.
@NullMarked
package io.millrace.log.disk;

import org.jspecify.annotations.NullMarked;
