package io.millrace.tests.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.millrace.tests.program.Program;

/// A disk in memory that can be filled. To mount it takes root.
final class SmallDisk implements AutoCloseable {

    private static final String SIZE = "16m";

    private final Path folder;
    private final Path rest;
    private final Thread abort = Thread.ofPlatform().unstarted(this::unmount);

    /// @param folder where it is mounted
    SmallDisk(Path folder) {
        this.folder = folder;
        this.rest = folder.resolve("rest");
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Program.of(List.of("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tmpfs", folder.toString())).run()
                .succeeded();
        Runtime.getRuntime().addShutdownHook(abort);
    }

    Path folder() {
        return folder;
    }

    /// Leaves no room on it.
    void fill() {
        Program.of(List.of("dd", "if=/dev/zero", "of=" + rest, "bs=4k")).run();
    }

    /// Makes room again.
    void free() {
        try {
            Files.delete(rest);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void unmount() {
        Program.of(List.of("umount", "--lazy", folder.toString())).run();
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(abort);
        unmount();
    }
}
