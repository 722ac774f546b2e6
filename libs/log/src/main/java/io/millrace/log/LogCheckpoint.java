package io.millrace.log;

/// What the checkpoint files of a log directory say of one log.
///
/// @param recoveryPoint everything below this offset is surely on disk
/// @param logStartOffset first offset that may be read
/// @param highWatermark offsets below were replicated
public record LogCheckpoint(long recoveryPoint, long logStartOffset, long highWatermark) {
    /// A log that no file speaks of.
    public static final LogCheckpoint NONE = new LogCheckpoint(0, 0, 0);
}
