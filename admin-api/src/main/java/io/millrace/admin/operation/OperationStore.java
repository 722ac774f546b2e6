package io.millrace.admin.operation;

import java.util.List;
import java.util.Optional;

/// Where operations are kept: every instance of this service sees the same. Blocks for a bounded time; fails where what it keeps
/// them in cannot be reached.
public interface OperationStore {

    /// @param version goes up with each change
    record Stored(Operation operation, int version) {}

    /// All of them, the oldest first.
    List<Stored> all();

    Optional<Stored> find(String id);

    /// Keeps a new one.
    Stored create(Operation operation);

    /// Puts `next` in place of `known`, unless somebody has changed it meanwhile.
    ///
    /// @return whether it was done
    boolean replace(Stored known, Operation next);

    /// Forgets one.
    void delete(Stored known);
}
