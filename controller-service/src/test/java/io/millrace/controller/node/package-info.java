@NullMarked
package io.millrace.controller.node;

import org.jspecify.annotations.NullMarked;
