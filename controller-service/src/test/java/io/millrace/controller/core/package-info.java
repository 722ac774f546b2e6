@NullMarked
package io.millrace.controller.core;

import org.jspecify.annotations.NullMarked;
