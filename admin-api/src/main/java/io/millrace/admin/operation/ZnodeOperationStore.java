package io.millrace.admin.operation;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import io.millrace.metadata.zookeeper.Znode;
import io.millrace.metadata.zookeeper.ZnodeRefused;
import io.millrace.metadata.zookeeper.Znodes;
import lombok.extern.slf4j.Slf4j;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Operations in ZooKeeper, a node each: `/services/operations/<id>`.
@Slf4j
public final class ZnodeOperationStore implements OperationStore {
    private static final String FOLDER = "/services/operations";
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Comparator<Stored> BY_AGE = Comparator.comparingLong((Stored stored) -> stored.operation()
            .createdAt()).thenComparing(stored -> stored.operation().id());

    private final Znodes znodes;
    private final Duration timeout;

    /// @param timeout of each call
    public ZnodeOperationStore(Znodes znodes, Duration timeout) {
        this.znodes = znodes;
        this.timeout = timeout;
    }

    @Override
    public List<Stored> all() {
        var paths = join(znodes.children(FOLDER)).stream().map(ZnodeOperationStore::path).toList();
        return paths.isEmpty()
                ? List.of()
                : join(znodes.readAll(paths)).stream().flatMap(Optional::stream).flatMap(znode -> stored(znode)
                        .stream()).sorted(BY_AGE).toList();
    }

    @Override
    public Optional<Stored> find(String id) {
        return id.contains("/") || id.isEmpty() ? Optional.empty() : join(znodes.read(path(id))).flatMap(this::stored);
    }

    @Override
    public Stored create(Operation operation) {
        join(znodes.ensure(FOLDER));
        join(znodes.create(path(operation.id()), JSON.writeValueAsString(operation)));
        return new Stored(operation, 0);
    }

    @Override
    public boolean replace(Stored known, Operation next) {
        try {
            join(znodes.set(path(next.id()), JSON.writeValueAsString(next), known.version()));
            return true;
        } catch (ZnodeRefused _) {
            return false;
        }
    }

    @Override
    public void delete(Stored known) {
        try {
            join(znodes.delete(path(known.operation().id()), known.version()));
        } catch (ZnodeRefused changed) {
            log.debug("event=operation-kept id={} cause={}", known.operation().id(), changed.getMessage());
        }
    }

    private static String path(String id) {
        return FOLDER + "/" + id;
    }

    private Optional<Stored> stored(Znode znode) {
        try {
            return Optional.of(new Stored(JSON.readValue(znode.data(), Operation.class), znode.version()));
        } catch (JacksonException unreadable) {
            log.warn("event=operation-unreadable path={} cause=\"{}\"", znode.path(), unreadable.getOriginalMessage());
            return Optional.empty();
        }
    }

    private <T> T join(CompletableFuture<T> answer) {
        try {
            return answer.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException known ? known : failure;
        }
    }
}
