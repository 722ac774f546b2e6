package io.millrace.metadata.zookeeper;

/// What came of one write.
///
/// @param path where; with its ten digits for a sequential node
/// @param version zkVersion afterwards; -1 where it was deleted
public record Written(String path, int version) {}
