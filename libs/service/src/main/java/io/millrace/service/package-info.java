/// What every service shares. A service imports [io.millrace.service.ServiceConfiguration] and builds its own on top.
@NullMarked
package io.millrace.service;

import org.jspecify.annotations.NullMarked;
