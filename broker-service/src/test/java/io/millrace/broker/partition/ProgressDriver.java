package io.millrace.broker.partition;

/// Moves a partition's progress as appends and role changes would.
public final class ProgressDriver {
    private final Progress progress = new Progress();

    public Progress progress() {
        return progress;
    }

    public void advanced(long bytes) {
        progress.advanced(bytes);
    }

    public void changed() {
        progress.changed();
    }
}
