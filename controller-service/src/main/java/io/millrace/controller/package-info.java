/// The controller as a service: its Spring configuration, its order of start and stop, its meters. The only package of
/// this service that knows Spring.
@NullMarked
package io.millrace.controller;

import org.jspecify.annotations.NullMarked;
