package io.millrace.log.epoch;

/// The first offset that a leader epoch wrote.
public record EpochStart(int epoch, long startOffset) {}
