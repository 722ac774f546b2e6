/// Configurations of topics and brokers, as the brokers themselves report them.
@NullMarked
package io.millrace.admin.config;

import org.jspecify.annotations.NullMarked;
