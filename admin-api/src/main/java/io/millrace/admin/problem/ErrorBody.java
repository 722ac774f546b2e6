package io.millrace.admin.problem;

/// What every failed call is answered with.
///
/// @param errorCode stable: the HTTP status, or that status followed by two digits (40403: unknown topic)
/// @param message for people
public record ErrorBody(int errorCode, String message) {}
