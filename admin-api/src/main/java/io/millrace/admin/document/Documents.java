package io.millrace.admin.document;

import java.util.List;
import java.util.Optional;

/// Small texts by name, in folders; every instance of this service sees the same ones. Blocks for a bounded time; fails where
/// they cannot be reached. Thread-safe.
public interface Documents {
    /// The most bytes that a text may have: what ZooKeeper takes, and room for what goes with it.
    int LARGEST = 900_000;

    /// @param version goes up with each change
    record Document(String folder, String name, String text, int version) {}

    /// The one of that name; empty where there is none.
    Optional<Document> find(String folder, String name);

    /// All of a folder, in no order.
    List<Document> all(String folder);

    /// Keeps a new one.
    ///
    /// @return whether it was new: nothing happens to one that is there
    boolean create(String folder, String name, String text);

    /// Puts `text` in place of what is known, unless somebody has changed it meanwhile.
    ///
    /// @return whether it was done
    boolean replace(Document known, String text);

    /// Forgets one, unless somebody has changed it meanwhile.
    void delete(Document known);
}
