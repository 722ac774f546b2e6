package io.millrace.service.protocol;

import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// FindCoordinator: the owner of a group's shard, from the image.
final class FindCoordinatorHandler implements ApiHandler<FindCoordinatorRequestData, FindCoordinatorResponseData> {
    private static final int FIRST_BATCHED = 4;
    private static final int FIRST_WITH_SHARE_GROUPS = 6;

    private static final byte GROUP = 0;
    private static final byte TRANSACTION = 1;
    private static final byte SHARE = 2;

    private final Supplier<ClusterImage> images;

    FindCoordinatorHandler(Supplier<ClusterImage> images) {
        this.images = images;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.FIND_COORDINATOR;
    }

    @Override
    public CompletableFuture<FindCoordinatorResponseData> handle(FindCoordinatorRequestData request,
            RequestContext context) {
        var answer = new FindCoordinatorResponseData();
        if (context.version() < FIRST_BATCHED) {
            var found = find(request.keyType(), request.key(), context);
            answer.setErrorCode(found.errorCode()).setErrorMessage(found.errorMessage()).setNodeId(found.nodeId())
                    .setHost(found.host()).setPort(found.port());
        } else {
            var found = new ArrayList<Coordinator>(request.coordinatorKeys().size());
            request.coordinatorKeys().forEach(key -> found.add(find(request.keyType(), key, context)));
            answer.setCoordinators(found);
        }
        return CompletableFuture.completedFuture(answer);
    }

    private Coordinator find(byte keyType, String key, RequestContext context) {
        return switch (keyType) {
            case GROUP -> ofGroup(key, context.listener());
            // Not the retriable COORDINATOR_NOT_AVAILABLE: a producer would ask until its own time is up, without a reason.
            case TRANSACTION -> refused(key, Errors.UNSUPPORTED_VERSION, "Transactions are not supported");
            case SHARE -> refused(key, Errors.INVALID_REQUEST, context.version() < FIRST_WITH_SHARE_GROUPS
                    ? "Share groups need version " + FIRST_WITH_SHARE_GROUPS
                    : "Share groups are not supported");
            default -> refused(key, Errors.INVALID_REQUEST, "Unknown coordinator type " + keyType);
        };
    }

    private Coordinator ofGroup(String group, String listener) {
        var image = images.get();
        return image.shardOf(ShardKind.GROUP, group).flatMap(shard -> ListedNode.coordinator(image, shard.owner(),
                listener))
                .map(node -> new Coordinator().setKey(group).setNodeId(node.id()).setHost(node.host())
                        .setPort(node.port()).setErrorMessage(""))
                .orElseGet(() -> refused(group, Errors.COORDINATOR_NOT_AVAILABLE,
                        Errors.COORDINATOR_NOT_AVAILABLE.message()));
    }

    private static Coordinator refused(String key, Errors error, String message) {
        return new Coordinator().setKey(key).setNodeId(-1).setHost("").setPort(-1).setErrorCode(error.code())
                .setErrorMessage(message);
    }
}
