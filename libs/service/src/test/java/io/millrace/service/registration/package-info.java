@NullMarked
package io.millrace.service.registration;

import org.jspecify.annotations.NullMarked;
