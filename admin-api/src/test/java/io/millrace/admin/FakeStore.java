package io.millrace.admin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.millrace.admin.operation.Operation;
import io.millrace.admin.operation.OperationStore;

/// Operations in memory, with the same rule: a change of what has changed meanwhile is refused.
final class FakeStore implements OperationStore {
    private final Map<String, Stored> byId = new LinkedHashMap<>();

    synchronized void reset() {
        byId.clear();
    }

    @Override
    public synchronized List<Stored> all() {
        return new ArrayList<>(byId.values());
    }

    @Override
    public synchronized Optional<Stored> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    @Override
    public synchronized Stored create(Operation operation) {
        var stored = new Stored(operation, 0);
        byId.put(operation.id(), stored);
        return stored;
    }

    @Override
    public synchronized boolean replace(Stored known, Operation next) {
        return byId.replace(next.id(), known, new Stored(next, known.version() + 1));
    }

    @Override
    public synchronized void delete(Stored known) {
        byId.remove(known.operation().id(), known);
    }
}
