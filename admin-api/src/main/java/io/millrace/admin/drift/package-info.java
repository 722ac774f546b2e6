/// Where settings are not what they should be: not the same on all brokers, overridden while they run, or not as declared.
@NullMarked
package io.millrace.admin.drift;

import org.jspecify.annotations.NullMarked;
