package io.millrace.tests.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// The folder of a cluster that is no more.
final class Data {

    private Data() {}

    /// Removes all but `logs`: they stay, for whoever wants to know why a test failed.
    static void remove(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.startsWith(folder.resolve("logs")) && !file.equals(folder)) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
