@NullMarked
package io.millrace.broker.replication;

import org.jspecify.annotations.NullMarked;
