/// The ephemeral znode by which a node is known to the cluster, kept for as long as the process lives.
@NullMarked
package io.millrace.service.registration;

import org.jspecify.annotations.NullMarked;
