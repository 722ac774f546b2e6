package io.millrace.admin.document;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import io.millrace.metadata.zookeeper.Znode;
import io.millrace.metadata.zookeeper.ZnodeRefused;
import io.millrace.metadata.zookeeper.ZnodeRefused.Reason;
import io.millrace.metadata.zookeeper.Znodes;
import lombok.extern.slf4j.Slf4j;

/// A node each: `/services/<folder>/<name>`.
@Slf4j
public final class ZnodeDocuments implements Documents {
    private static final String ROOT = "/services/";

    private final Znodes znodes;
    private final Duration timeout;

    /// @param timeout of each call
    public ZnodeDocuments(Znodes znodes, Duration timeout) {
        this.znodes = znodes;
        this.timeout = timeout;
    }

    @Override
    public Optional<Document> find(String folder, String name) {
        return name.contains("/") || name.isEmpty()
                ? Optional.empty()
                : join(znodes.read(path(folder, name))).map(znode -> document(folder, znode));
    }

    @Override
    public List<Document> all(String folder) {
        var paths = join(znodes.children(ROOT + folder)).stream().map(name -> path(folder, name)).toList();
        return paths.isEmpty()
                ? List.of()
                : join(znodes.readAll(paths)).stream().flatMap(Optional::stream).map(znode -> document(folder, znode))
                        .toList();
    }

    @Override
    public boolean create(String folder, String name, String text) {
        try {
            join(znodes.create(path(folder, name), text));
            return true;
        } catch (ZnodeRefused refused) {
            return switch (refused.reason()) {
                case NODE_EXISTS -> false;
                case NO_NODE -> {
                    join(znodes.ensure(ROOT + folder));
                    yield create(folder, name, text);
                }
                case BAD_VERSION, NOT_EMPTY, FORBIDDEN -> throw refused;
            };
        }
    }

    @Override
    public boolean replace(Document known, String text) {
        try {
            join(znodes.set(path(known.folder(), known.name()), text, known.version()));
            return true;
        } catch (ZnodeRefused refused) {
            return isChanged(refused);
        }
    }

    @Override
    public void delete(Document known) {
        try {
            join(znodes.delete(path(known.folder(), known.name()), known.version()));
        } catch (ZnodeRefused refused) {
            log.debug("event=document-kept folder={} name={} changed={}", known.folder(), known.name(), isChanged(
                    refused));
        }
    }

    /// Nothing was done since somebody else was faster; any other refusal is no such thing.
    private static boolean isChanged(ZnodeRefused refused) {
        if (refused.reason() == Reason.BAD_VERSION || refused.reason() == Reason.NO_NODE) {
            return false;
        }
        throw refused;
    }

    private static String path(String folder, String name) {
        return ROOT + folder + "/" + name;
    }

    private static Document document(String folder, Znode znode) {
        return new Document(folder, znode.path().substring(znode.path().lastIndexOf('/') + 1), znode.data(), znode
                .version());
    }

    private <T> T join(CompletableFuture<T> answer) {
        try {
            return answer.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException known ? known : failure;
        }
    }
}
