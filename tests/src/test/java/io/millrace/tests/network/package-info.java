/// Hosts on one machine, made of Linux network namespaces, and cuts between them: packets vanish without an answer, as they
/// do when a cable is pulled. Needs root; nothing outside the namespaces is touched but one route to them.
@NullMarked
package io.millrace.tests.network;

import org.jspecify.annotations.NullMarked;
