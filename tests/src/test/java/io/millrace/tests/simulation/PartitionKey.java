package io.millrace.tests.simulation;

import java.util.UUID;

/// A partition of one topic, not of those that had its name before or have it later.
record PartitionKey(UUID topicId, int partition) {}
