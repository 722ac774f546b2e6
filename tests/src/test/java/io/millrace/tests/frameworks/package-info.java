/// What others built on Kafka's clients, unmodified, with each record processed exactly once.
@NullMarked
package io.millrace.tests.frameworks;

import org.jspecify.annotations.NullMarked;
