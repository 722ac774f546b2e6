package io.millrace.tests.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/// Starts kcat.
final class Kcat {

    private Kcat() {}

    static Process start(List<String> command) {
        try {
            return new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw new UncheckedIOException("kcat is needed (Debian: kcat)", e);
        }
    }
}
