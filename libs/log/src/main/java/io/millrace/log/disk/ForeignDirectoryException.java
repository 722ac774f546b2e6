package io.millrace.log.disk;

import java.io.IOException;

/// A log directory is another's: of another process, broker or cluster. Nothing is wrong with the disk.
public final class ForeignDirectoryException extends IOException {
    /// @param message says whose
    public ForeignDirectoryException(String message) {
        super(message);
    }
}
