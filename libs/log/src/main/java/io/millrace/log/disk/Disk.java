package io.millrace.log.disk;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/// The file system as far as logs need it. Safe for use by several threads.
public interface Disk {
    /// The real one.
    Disk FILES = new FileDisk();

    /// Opens a file for reading and writing, and creates it where it is missing.
    LogFile open(Path path) throws IOException;

    boolean exists(Path path);

    long size(Path path) throws IOException;

    /// Milliseconds since 1970.
    long lastModified(Path path) throws IOException;

    /// Names of the files and directories in `directory`, sorted; empty where it does not exist.
    List<String> list(Path directory) throws IOException;

    boolean isDirectory(Path path);

    void createDirectories(Path directory) throws IOException;

    /// Replaces `to` in one step.
    void rename(Path from, Path to) throws IOException;

    /// A file, or a directory with all that is in it. Nothing where it does not exist.
    void delete(Path path) throws IOException;

    byte[] read(Path path) throws IOException;

    /// The file holds `content` or what it held before, whatever happens: written beside, synced, renamed.
    void replace(Path path, byte[] content) throws IOException;

    /// Makes creations, renames and deletions in `directory` durable.
    void syncDirectory(Path directory) throws IOException;

    /// Makes what was written to that part of a [LogFile#map] durable.
    void force(MemorySegment mapped) throws IOException;

    /// How many files may be mapped at once; see [LogFile#map].
    MapBudget maps();

    /// Takes the directory for this process alone, until what is returned is closed or the process ends, however it ends.
    ///
    /// @throws ForeignDirectoryException where another has it
    Closeable lock(Path directory) throws IOException;
}
