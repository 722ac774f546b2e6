@NullMarked
package io.millrace.metadata.command;

import org.jspecify.annotations.NullMarked;
