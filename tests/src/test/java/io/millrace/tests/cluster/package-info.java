/// Whole clusters, started by `bin/millrace` as people start them, and what they must survive.
@NullMarked
package io.millrace.tests.cluster;

import org.jspecify.annotations.NullMarked;
