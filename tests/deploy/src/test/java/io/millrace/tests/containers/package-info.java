/// Images and the compose file on a Docker engine: clients on the host, containers that are killed, networks that are cut.
@NullMarked
package io.millrace.tests.containers;

import org.jspecify.annotations.NullMarked;
