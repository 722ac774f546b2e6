package io.millrace.tests.simulation;

import java.util.concurrent.CompletableFuture;

import org.apache.kafka.common.protocol.ApiMessage;

/// What answers requests of the Kafka protocol at a host. Called by the network, on its loop.
@FunctionalInterface
interface SimulatedNode {
    CompletableFuture<ApiMessage> handle(ApiMessage request);
}
