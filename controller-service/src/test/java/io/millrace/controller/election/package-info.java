@NullMarked
package io.millrace.controller.election;

import org.jspecify.annotations.NullMarked;
