@NullMarked
package io.millrace.standalone.zookeeper;

import org.jspecify.annotations.NullMarked;
