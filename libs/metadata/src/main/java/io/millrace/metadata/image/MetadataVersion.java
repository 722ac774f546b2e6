package io.millrace.metadata.image;

import java.util.Comparator;

/// A place in the history of the cluster: versions of a later controller come after all of an earlier one.
///
/// @param controllerEpoch of the controller that published it; 0 before the first
/// @param sequence counts that controller's versions
public record MetadataVersion(int controllerEpoch, long sequence) implements Comparable<MetadataVersion> {
    /// Before anything was published.
    public static final MetadataVersion NONE = new MetadataVersion(0, 0);

    private static final Comparator<MetadataVersion> ORDER = Comparator.comparingInt(MetadataVersion::controllerEpoch)
            .thenComparingLong(MetadataVersion::sequence);

    /// The version that the same controller publishes after this one.
    public MetadataVersion next() {
        return new MetadataVersion(controllerEpoch, sequence + 1);
    }

    /// Whether this is the same as `other` or came after it.
    public boolean reaches(MetadataVersion other) {
        return compareTo(other) >= 0;
    }

    @Override
    public int compareTo(MetadataVersion other) {
        return ORDER.compare(this, other);
    }

    /// `epoch.sequence`, as logs show it.
    @Override
    public String toString() {
        return controllerEpoch + "." + sequence;
    }
}
