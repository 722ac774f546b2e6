package io.millrace.metadata.zookeeper;

/// A znode as it was read.
///
/// @param data as stored, in UTF-8; empty where it has none
/// @param version its zkVersion, for compare-and-set
/// @param czxid the transaction that created it: the epoch of a node that registered with it
/// @param ephemeralOwner session that it goes with; 0 where it is persistent
public record Znode(String path, String data, int version, long czxid, long ephemeralOwner) {}
