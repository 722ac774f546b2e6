package io.millrace.log;

import java.io.IOException;
import java.nio.file.Path;

/// The log was closed or deleted by its owner: no failure of the disk.
public final class ClosedLogException extends IOException {
    ClosedLogException(Path directory) {
        super("the log in " + directory + " is closed");
    }
}
