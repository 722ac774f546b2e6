package io.millrace.broker.replication;

import org.apache.kafka.common.Uuid;

/// A partition as fetches name it.
record TopicIdPartition(Uuid topicId, int partition) {}
