/// Clusters: this service knows exactly one.
@NullMarked
package io.millrace.admin.cluster;

import org.jspecify.annotations.NullMarked;
