package io.millrace.broker.produce;

import io.millrace.broker.partition.Partition;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;

/// One partition of a request.
///
/// @param part its place in the answer
record ProducePart(Partition partition, TopicProduceData topic, PartitionProduceResponse part) {}
