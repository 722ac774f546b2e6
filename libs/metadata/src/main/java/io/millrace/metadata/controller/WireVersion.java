package io.millrace.metadata.controller;

import org.jspecify.annotations.Nullable;

/// The version of what nodes and controllers say to each other: of the frames of the stream and of the commands. Each side
/// says it with each exchange, in [#HEADER].
///
/// Additions that the other side may pass over do not change it. It goes up where something said by the new version would be
/// misunderstood by the one before; a controller then speaks both, and is upgraded before the nodes.
public final class WireVersion {
    /// The header with which either side says its version.
    public static final String HEADER = "millrace-wire";
    /// What this version says.
    public static final int NEWEST = 1;
    /// The oldest that a controller of this version still understands.
    public static final int OLDEST = 1;

    private WireVersion() {}

    /// Whether a controller of this version understands a node that said `header`; one that said nothing is of version 1.
    public static boolean isSpoken(@Nullable String header) {
        if (header == null) {
            return OLDEST == 1;
        }
        try {
            return isSpoken(Integer.parseInt(header));
        } catch (NumberFormatException _) {
            return false;
        }
    }

    /// Whether a controller of this version understands `version`.
    public static boolean isSpoken(int version) {
        return version >= OLDEST && version <= NEWEST;
    }

    /// Why `header` is refused, for people.
    public static String refusal(@Nullable String header) {
        return "wire version %s is not spoken here, %d to %d are: upgrade the controllers first"
                .formatted(header == null ? "1" : header, OLDEST, NEWEST);
    }
}
