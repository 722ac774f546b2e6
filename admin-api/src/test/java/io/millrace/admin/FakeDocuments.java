package io.millrace.admin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.millrace.admin.document.Documents;

/// Documents in memory, with the same rule: a change of what has changed meanwhile is refused.
public final class FakeDocuments implements Documents {
    private final Map<String, Document> byPath = new LinkedHashMap<>();

    synchronized void reset() {
        byPath.clear();
    }

    @Override
    public synchronized Optional<Document> find(String folder, String name) {
        return Optional.ofNullable(byPath.get(folder + "/" + name));
    }

    @Override
    public synchronized List<Document> all(String folder) {
        return byPath.values().stream().filter(document -> document.folder().equals(folder)).toList();
    }

    @Override
    public synchronized boolean create(String folder, String name, String text) {
        return byPath.putIfAbsent(folder + "/" + name, new Document(folder, name, text, 0)) == null;
    }

    @Override
    public synchronized boolean replace(Document known, String text) {
        return find(known.folder(), known.name()).filter(now -> now.version() == known.version()).map(now -> byPath
                .put(known.folder() + "/" + known.name(), new Document(now.folder(), now.name(), text, now.version()
                        + 1)))
                .isPresent();
    }

    @Override
    public synchronized void delete(Document known) {
        find(known.folder(), known.name()).filter(now -> now.version() == known.version()).ifPresent(_ -> byPath
                .remove(known.folder() + "/" + known.name()));
    }
}
