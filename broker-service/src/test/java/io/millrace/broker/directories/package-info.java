@NullMarked
package io.millrace.broker.directories;

import org.jspecify.annotations.NullMarked;
