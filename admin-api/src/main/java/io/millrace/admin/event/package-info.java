/// What happens in the cluster, told as it happens: the differences between one image and the next.
@NullMarked
package io.millrace.admin.event;

import org.jspecify.annotations.NullMarked;
