package io.millrace.log.epoch;

/// Where a leader epoch ends.
///
/// @param epoch the largest epoch known that is not above the one asked for; -1 where there is none
/// @param endOffset start offset of the next epoch, or the log end offset; -1 where `epoch` is -1
public record EpochEndOffset(int epoch, long endOffset) {
    /// Nothing known.
    public static final EpochEndOffset UNDEFINED = new EpochEndOffset(-1, -1);
}
