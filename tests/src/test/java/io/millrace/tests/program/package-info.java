/// Programs of others in processes of their own: Kafka's tools, clients in other languages, `bin/millrace` itself.
@NullMarked
package io.millrace.tests.program;

import org.jspecify.annotations.NullMarked;
