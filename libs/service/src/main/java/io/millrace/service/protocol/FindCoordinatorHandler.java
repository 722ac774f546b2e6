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

/// FindCoordinator: the owner of the shard of a group or of a transactional id, from the image. The topic of transactions
/// is made when somebody asks for the first time.
final class FindCoordinatorHandler implements ApiHandler<FindCoordinatorRequestData, FindCoordinatorResponseData> {
    private static final int FIRST_BATCHED = 4;
    private static final int FIRST_WITH_SHARE_GROUPS = 6;

    private static final byte GROUP = 0;
    private static final byte TRANSACTION = 1;
    private static final byte SHARE = 2;

    private final Supplier<ClusterImage> images;
    private final AutoCreation creation;

    FindCoordinatorHandler(Supplier<ClusterImage> images, AutoCreation creation) {
        this.images = images;
        this.creation = creation;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.FIND_COORDINATOR;
    }

    @Override
    public CompletableFuture<FindCoordinatorResponseData> handle(FindCoordinatorRequestData request,
            RequestContext context) {
        boolean firstTransaction = request.keyType() == TRANSACTION
                && images.get().topic(ShardKind.TRANSACTION.topic()).isEmpty();
        return firstTransaction
                ? creation.create(ShardKind.TRANSACTION).thenApply(_ -> found(request, context))
                : CompletableFuture.completedFuture(found(request, context));
    }

    private FindCoordinatorResponseData found(FindCoordinatorRequestData request, RequestContext context) {
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
        return answer;
    }

    private Coordinator find(byte keyType, String key, RequestContext context) {
        return switch (keyType) {
            case GROUP -> owner(ShardKind.GROUP, key, context.listener());
            case TRANSACTION -> owner(ShardKind.TRANSACTION, key, context.listener());
            case SHARE -> refused(key, Errors.INVALID_REQUEST, context.version() < FIRST_WITH_SHARE_GROUPS
                    ? "Share groups need version " + FIRST_WITH_SHARE_GROUPS
                    : "Share groups are not supported");
            default -> refused(key, Errors.INVALID_REQUEST, "Unknown coordinator type " + keyType);
        };
    }

    private Coordinator owner(ShardKind kind, String key, String listener) {
        var image = images.get();
        return image.shardOf(kind, key).flatMap(shard -> ListedNode.coordinator(image, shard.owner(),
                listener))
                .map(node -> new Coordinator().setKey(key).setNodeId(node.id()).setHost(node.host())
                        .setPort(node.port()).setErrorMessage(""))
                .orElseGet(() -> refused(key, Errors.COORDINATOR_NOT_AVAILABLE,
                        Errors.COORDINATOR_NOT_AVAILABLE.message()));
    }

    private static Coordinator refused(String key, Errors error, String message) {
        return new Coordinator().setKey(key).setNodeId(-1).setHost("").setPort(-1).setErrorCode(error.code())
                .setErrorMessage(message);
    }
}
