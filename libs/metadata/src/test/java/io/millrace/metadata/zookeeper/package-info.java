@NullMarked
package io.millrace.metadata.zookeeper;

import org.jspecify.annotations.NullMarked;
