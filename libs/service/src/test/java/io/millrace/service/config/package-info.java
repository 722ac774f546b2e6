@NullMarked
package io.millrace.service.config;

import org.jspecify.annotations.NullMarked;
