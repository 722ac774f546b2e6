package io.millrace.log.batch;

import org.apache.kafka.common.record.internal.CompressionType;

/// A compression that a topic asks for.
///
/// @param type `none`, `gzip`, `snappy`, `lz4` or `zstd`
/// @param level of gzip, lz4 and zstd; the others have none and ignore it
public record Codec(CompressionType type, int level) {}
