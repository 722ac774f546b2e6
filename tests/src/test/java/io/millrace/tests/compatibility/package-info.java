/// Kafka's own tools and clients in other versions and languages, unmodified, against running clusters.
@NullMarked
package io.millrace.tests.compatibility;

import org.jspecify.annotations.NullMarked;
