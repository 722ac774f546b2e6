package io.millrace.log.recovery;

import java.io.IOException;
import java.nio.file.Path;

/// Has files gone that a log no longer needs; large ones take their time.
@FunctionalInterface
public interface Discarding {
    /// `file` is gone from its name when this returns; nothing where it does not exist.
    void discard(Path file) throws IOException;
}
