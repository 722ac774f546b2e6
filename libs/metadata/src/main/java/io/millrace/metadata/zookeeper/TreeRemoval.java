package io.millrace.metadata.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.zookeeper.ZnodeRefused.Reason;

/// Removes a node and all below it, bottom up, in multis. Where others create or remove nodes meanwhile, it looks again.
record TreeRemoval(Znodes znodes) {
    private static final int ATTEMPTS = 5;

    CompletableFuture<Void> remove(String path) {
        return remove(path, ATTEMPTS);
    }

    private CompletableFuture<Void> remove(String path, int attempts) {
        return bottomUp(path).thenCompose(this::removeAll).exceptionallyCompose(failure -> {
            var reason = Failure.reason(failure);
            boolean raced = reason == Reason.NO_NODE || reason == Reason.NOT_EMPTY;
            if (!raced || attempts == 1) {
                return CompletableFuture.failedFuture(Failure.cause(failure));
            }
            return znodes.read(path)
                    .thenCompose(found -> found.isEmpty()
                            ? CompletableFuture.completedFuture(null)
                            : remove(path, attempts - 1));
        });
    }

    private CompletableFuture<List<String>> bottomUp(String path) {
        return znodes.children(path).thenCompose(names -> {
            CompletableFuture<List<String>> below = CompletableFuture.completedFuture(new ArrayList<>());
            for (var name : names) {
                below = below.thenCombine(bottomUp(path + "/" + name), TreeRemoval::joined);
            }
            return below.thenApply(paths -> joined(paths, List.of(path)));
        });
    }

    private static List<String> joined(List<String> first, List<String> second) {
        first.addAll(second);
        return first;
    }

    private CompletableFuture<Void> removeAll(List<String> paths) {
        CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
        for (int i = 0; i < paths.size(); i += Znodes.MAX_WRITES) {
            var chunk = paths.subList(i, Math.min(paths.size(), i + Znodes.MAX_WRITES));
            done = done.thenCompose(_ -> znodes.multi(chunk.stream()
                    .<ZnodeWrite>map(path -> new ZnodeWrite.Delete(path, ZnodeWrite.ANY_VERSION))
                    .toList())).thenApply(_ -> null);
        }
        return done;
    }
}
