package io.millrace.admin.resource;

/// A link to another resource.
///
/// @param related its absolute URL
public record Related(String related) {}
