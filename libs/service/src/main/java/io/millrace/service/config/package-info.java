/// Kafka-named settings: the broker-level ones of a process ([io.millrace.service.config.ServerSettings], from Spring's
/// environment under `kafka.`) and the topic-level ones of the cluster ([io.millrace.service.config.TopicSettings]).
///
/// All of it is immutable once built and may be read from any thread.
@NullMarked
package io.millrace.service.config;

import org.jspecify.annotations.NullMarked;
