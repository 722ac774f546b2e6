@NullMarked
package io.millrace.controller.publish;

import org.jspecify.annotations.NullMarked;
