package io.millrace.metadata.command;

import org.jspecify.annotations.Nullable;

/// The body of an answer that is no result, `application/problem+json`.
///
/// @param status of HTTP
/// @param title of its kind
/// @param detail for people; null where there is none
/// @param errorCode Kafka's; 0 where there is none
record Problem(int status, String title, @Nullable String detail, short errorCode) {}
