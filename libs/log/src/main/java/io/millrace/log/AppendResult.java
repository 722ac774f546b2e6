package io.millrace.log;

/// What an append came to.
///
/// @param baseOffset offset of the first record; of the first append where this one is a duplicate
/// @param lastOffset offset of the last record; `baseOffset - 1` where nothing was to be appended
/// @param logAppendTime milliseconds since 1970 where the topic uses LogAppendTime, else -1
/// @param logStartOffset of the log at that time
/// @param duplicate whether the batch was there already, so that nothing was written
public record AppendResult(long baseOffset, long lastOffset, long logAppendTime, long logStartOffset,
        boolean duplicate) {}
