/// What the start-up cache is made from: a small cluster under the load of clients, for as long as the JVM needs to learn
/// which of its methods matter and how they are used.
@NullMarked
package io.millrace.standalone.training;

import org.jspecify.annotations.NullMarked;
