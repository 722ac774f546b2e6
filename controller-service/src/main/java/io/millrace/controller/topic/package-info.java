/// What becomes of a request to create, delete, grow or configure a topic: Kafka's rules, codes and texts. Pure; a request
/// that breaks a rule throws [io.millrace.wire.error.Refused].
@NullMarked
package io.millrace.controller.topic;

import org.jspecify.annotations.NullMarked;
