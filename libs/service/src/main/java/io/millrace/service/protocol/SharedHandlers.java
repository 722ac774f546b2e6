package io.millrace.service.protocol;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import io.millrace.metadata.command.ControllerClient;
import io.millrace.service.config.LiveSettings;
import io.millrace.service.config.NodeLoggers;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.subscription.MetadataSubscription;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// The handlers of all APIs that brokers and coordinators serve alike: Metadata, DescribeCluster,
/// DescribeTopicPartitions, FindCoordinator, CreateTopics, DeleteTopics, CreatePartitions, ElectLeaders,
/// AlterPartitionReassignments, ListPartitionReassignments, DescribeConfigs, IncrementalAlterConfigs, AlterConfigs,
/// InitProducerId.
public final class SharedHandlers {
    private SharedHandlers() {}

    /// @param nodeId of this node, whose own settings it tells
    /// @param nodeEpoch of this node's present registration
    public static List<ApiHandler<?, ?>> of(MetadataSubscription subscription, ControllerClient controller,
            ServerSettings settings, int nodeId, LongSupplier nodeEpoch) {
        return of(subscription, controller, settings, nodeId, new ProducerIds(controller, nodeId, nodeEpoch),
                (_, _) -> CompletableFuture.failedFuture(new Refused(Errors.NOT_COORDINATOR,
                        "transactional ids have coordinators")));
    }

    /// The same for a node that serves transactional ids.
    ///
    /// @param ids of idempotent producers
    /// @param transactional gives ids to the others
    public static List<ApiHandler<?, ?>> of(MetadataSubscription subscription, ControllerClient controller,
            ServerSettings settings, int nodeId, ProducerIds ids, TransactionalProducers transactional) {
        var forwarding = new Forwarding(controller);
        var creation = new AutoCreation(settings.getBoolean("auto.create.topics.enable"), forwarding,
                subscription::await);
        var configs = new ConfigForwarding(forwarding, subscription::image, nodeId);
        var live = new LiveSettings(nodeId, subscription::image, settings);
        var loggers = NodeLoggers.ofThisProcess();
        return List.of(
                new MetadataHandler(subscription::image, creation),
                new DescribeClusterHandler(subscription::image),
                new DescribeTopicPartitionsHandler(subscription::image,
                        settings.getInt("max.request.partition.size.limit")),
                new FindCoordinatorHandler(subscription::image, creation),
                new CreateTopicsHandler(forwarding, live),
                new DeleteTopicsHandler(forwarding, settings.getBoolean("delete.topic.enable")),
                new CreatePartitionsHandler(forwarding),
                new ElectLeadersHandler(forwarding),
                new AlterPartitionReassignmentsHandler(forwarding),
                new ListPartitionReassignmentsHandler(subscription::image),
                new DescribeConfigsHandler(subscription::image, live, loggers, nodeId),
                new IncrementalAlterConfigsHandler(configs, loggers, nodeId),
                new AlterConfigsHandler(configs),
                new InitProducerIdHandler(ids, transactional));
    }
}
