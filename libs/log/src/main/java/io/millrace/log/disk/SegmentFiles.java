package io.millrace.log.disk;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/// Names of files in a partition's directory. Those of a segment are its base offset in 20 digits and a suffix.
public final class SegmentFiles {
    public static final String LOG = ".log";
    public static final String INDEX = ".index";
    public static final String TIME_INDEX = ".timeindex";
    public static final String TXN_INDEX = ".txnindex";
    public static final String SNAPSHOT = ".snapshot";
    /// Added to the name of what will be deleted after a while.
    public static final String DELETED = ".deleted";
    /// Added to the name of a segment that the cleaner is writing.
    public static final String CLEANED = ".cleaned";
    /// Added to the name of a segment that the cleaner has written, until those that it replaces are gone.
    public static final String SWAP = ".swap";
    /// The one file of a log that is no segment's and is there before all others: which topic it belongs to.
    public static final String TOPIC_ID = "partition.metadata";

    /// Files that can be made anew from the log.
    public static final List<String> INDEXES = List.of(INDEX, TIME_INDEX, TXN_INDEX);
    /// All files of a segment, in the order in which they go: the log itself last.
    public static final List<String> ALL = List.of(INDEX, TIME_INDEX, TXN_INDEX, LOG);

    private static final int DIGITS = 20;

    private SegmentFiles() {}

    /// @param suffix [#LOG] and so on
    public static Path path(Path directory, long offset, String suffix) {
        return directory.resolve(("%0" + DIGITS + "d").formatted(offset) + suffix);
    }

    /// The offset in a name that ends in `suffix`; empty where it is not such a name.
    public static OptionalLong offset(String name, String suffix) {
        if (name.length() != DIGITS + suffix.length() || !name.endsWith(suffix)) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(name, 0, DIGITS, 10));
        } catch (NumberFormatException _) {
            return OptionalLong.empty();
        }
    }
}
