@NullMarked
package io.millrace.service.subscription;

import org.jspecify.annotations.NullMarked;
