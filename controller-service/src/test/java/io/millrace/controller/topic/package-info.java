@NullMarked
package io.millrace.controller.topic;

import org.jspecify.annotations.NullMarked;
