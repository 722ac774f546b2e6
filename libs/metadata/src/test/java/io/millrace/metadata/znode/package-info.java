@NullMarked
package io.millrace.metadata.znode;

import org.jspecify.annotations.NullMarked;
