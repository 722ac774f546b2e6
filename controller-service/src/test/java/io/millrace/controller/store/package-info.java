@NullMarked
package io.millrace.controller.store;

import org.jspecify.annotations.NullMarked;
