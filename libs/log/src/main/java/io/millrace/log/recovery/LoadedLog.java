package io.millrace.log.recovery;

import java.util.List;

import io.millrace.log.epoch.EpochHistory;
import io.millrace.log.producer.Producers;
import io.millrace.log.segment.Segment;

/// A log as it was found and repaired.
///
/// @param segments at least one, in order
/// @param epochsChanged whether `epochs` differ from their checkpoint file
/// @param scannedBytes of segments that were checked
/// @param cutBytes that were no whole batch, or came after such
/// @param isAsFound whether its files are as they were found, and nothing was missing
public record LoadedLog(List<Segment> segments, Producers producers, EpochHistory epochs, boolean epochsChanged,
        long logStartOffset, long logEndOffset, long scannedBytes, long cutBytes, boolean isAsFound) {}
