/// This node's image of the cluster, kept by the metadata stream, and the parts of the node that follow it.
@NullMarked
package io.millrace.service.subscription;

import org.jspecify.annotations.NullMarked;
