package io.millrace.service.protocol;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// DescribeCluster: the nodes that clients of this listener can reach.
final class DescribeClusterHandler implements ApiHandler<DescribeClusterRequestData, DescribeClusterResponseData> {
    private static final byte BROKERS = 1;
    private static final byte CONTROLLERS = 2;

    private final Supplier<ClusterImage> images;

    DescribeClusterHandler(Supplier<ClusterImage> images) {
        this.images = images;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DESCRIBE_CLUSTER;
    }

    @Override
    public CompletableFuture<DescribeClusterResponseData> handle(DescribeClusterRequestData request,
            RequestContext context) {
        return switch (request.endpointType()) {
            case BROKERS -> CompletableFuture.completedFuture(answer(request, context.listener()));
            case CONTROLLERS -> CompletableFuture.failedFuture(new Refused(Errors.MISMATCHED_ENDPOINT_TYPE,
                    "The request was sent to an endpoint of type BROKER, but we wanted an endpoint of type CONTROLLER"));
            default -> CompletableFuture.failedFuture(new Refused(Errors.UNSUPPORTED_ENDPOINT_TYPE,
                    "Unsupported endpoint type " + request.endpointType()));
        };
    }

    private DescribeClusterResponseData answer(DescribeClusterRequestData request, String listener) {
        var image = images.get();
        var answer = new DescribeClusterResponseData().setClusterId(image.clusterId())
                .setControllerId(ListedNode.controllerId(image, listener)).setEndpointType(BROKERS)
                .setClusterAuthorizedOperations(request.includeClusterAuthorizedOperations()
                        ? AuthorizedOperations.OF_CLUSTER
                        : AuthorizedOperations.NOT_ASKED);
        var nodes = request.includeFencedBrokers()
                ? ListedNode.allWithFenced(image, listener)
                : ListedNode.all(image, listener);
        for (var node : nodes) {
            answer.brokers().add(new DescribeClusterBroker().setBrokerId(node.id()).setHost(node.host())
                    .setPort(node.port()).setRack(node.rack()).setIsFenced(node.fenced()));
        }
        return answer;
    }
}
