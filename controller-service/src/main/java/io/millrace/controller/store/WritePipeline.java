package io.millrace.controller.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.zookeeper.ZnodeWrite;
import io.millrace.metadata.zookeeper.Znodes;

/// Sends the batches of one decision, several at a time, each guarded by the controller's epoch.
///
/// ZooKeeper carries out what one session sends in its order, but a batch that is refused does not keep the next ones from
/// being made. So where there are several, each also raises the version of [Paths#WRITE_FENCE] from what the one before
/// left: after the first that fails none is made. What is in ZooKeeper is always a beginning of what was decided.
final class WritePipeline {
    private static final int IN_FLIGHT = 8;
    /// Half of what ZooKeeper takes in one request: what else belongs to it must fit besides.
    private static final int MAX_CHARACTERS = 512 * 1024;
    /// One more raises the fence.
    private static final int MAX_WRITES = Znodes.MAX_WRITES - 1;

    private final Znodes znodes;
    private final int epochVersion;
    private final List<List<ZnodeWrite>> batches;
    private final List<CompletableFuture<?>> answers;

    private WritePipeline(Znodes znodes, int epochVersion, List<List<ZnodeWrite>> batches) {
        this.znodes = znodes;
        this.epochVersion = epochVersion;
        this.batches = batches;
        answers = new ArrayList<>(batches.size());
    }

    /// Completes once all is written; fails as the first batch that was not, once nothing of it is on its way any more.
    static CompletableFuture<Void> write(Znodes znodes, int epochVersion, List<ZnodeWrite> writes) {
        var batches = batches(writes);
        if (batches.size() <= 1) {
            return new WritePipeline(znodes, epochVersion, batches).run();
        }
        return znodes.read(Paths.WRITE_FENCE).thenCompose(fence -> {
            int version = fence.orElseThrow(() -> new IllegalStateException("no znode path=" + Paths.WRITE_FENCE))
                    .version();
            return new WritePipeline(znodes, epochVersion, fenced(batches, version)).run();
        });
    }

    private static List<List<ZnodeWrite>> fenced(List<List<ZnodeWrite>> batches, int version) {
        var fenced = new ArrayList<List<ZnodeWrite>>(batches.size());
        for (var batch : batches) {
            var with = new ArrayList<ZnodeWrite>(batch.size() + 1);
            with.add(new ZnodeWrite.Set(Paths.WRITE_FENCE, "", version + fenced.size()));
            with.addAll(batch);
            fenced.add(with);
        }
        return fenced;
    }

    private CompletableFuture<Void> run() {
        for (int index = 0; index < batches.size(); index++) {
            var batch = batches.get(index);
            answers.add(index < IN_FLIGHT
                    ? znodes.guarded(epochVersion, batch)
                    // The one that makes room: where it failed nothing more is sent.
                    : answers.get(index - IN_FLIGHT).thenCompose(_ -> znodes.guarded(epochVersion, batch)));
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .exceptionallyCompose(_ -> CompletableFuture.failedFuture(firstFailure()));
    }

    private Throwable firstFailure() {
        for (var answer : answers) {
            if (answer.isCompletedExceptionally()) {
                var failure = answer.exceptionNow();
                return failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
            }
        }
        throw new IllegalStateException("no batch failed");
    }

    static List<List<ZnodeWrite>> batches(List<ZnodeWrite> writes) {
        var batches = new ArrayList<List<ZnodeWrite>>();
        var batch = new ArrayList<ZnodeWrite>();
        int characters = 0;
        for (var write : writes) {
            if (!batch.isEmpty() && (batch.size() == MAX_WRITES || characters + size(write) > MAX_CHARACTERS)) {
                batches.add(List.copyOf(batch));
                batch.clear();
                characters = 0;
            }
            batch.add(write);
            characters += size(write);
        }
        if (!batch.isEmpty()) {
            batches.add(List.copyOf(batch));
        }
        return batches;
    }

    private static int size(ZnodeWrite write) {
        int data = switch (write) {
            case ZnodeWrite.Create(_, String text) -> text.length();
            case ZnodeWrite.CreateEphemeral(_, String text) -> text.length();
            case ZnodeWrite.CreateSequential(_, String text) -> text.length();
            case ZnodeWrite.Set(_, String text, _) -> text.length();
            case ZnodeWrite.Delete _,ZnodeWrite.Check _ -> 0;
        };
        return data + write.path().length();
    }
}
