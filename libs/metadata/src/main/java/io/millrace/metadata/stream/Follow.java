package io.millrace.metadata.stream;

import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.record.Delta;
import io.millrace.metadata.record.Replay;
import io.millrace.metadata.record.Snapshot;

/// What a node makes of a message from the controller. Pure. Nothing older than the image, and nothing beyond a gap, is
/// ever applied.
sealed interface Follow {

    /// The image goes on.
    record Apply(ClusterImage after, Changes changes) implements Follow {}

    /// Nothing to do.
    record Stay() implements Follow {}

    /// This stream cannot go on; another one may.
    record Leave(String reason) implements Follow {}

    static Follow next(ClusterImage image, StreamMessage message) {
        return switch (message) {
            case StreamMessage.Whole(var snapshot) -> whole(image, snapshot);
            case StreamMessage.Change(var delta) -> change(image, delta);
            case StreamMessage.Heartbeat(var version) -> heartbeat(image.version(), version);
            case StreamMessage.Greeting _,StreamMessage.Applied _ -> new Leave("a message that only goes up came down");
        };
    }

    private static Follow whole(ClusterImage image, Snapshot snapshot) {
        if (!snapshot.version().reaches(image.version())) {
            return new Leave("snapshot=" + snapshot.version() + " is older than image=" + image.version());
        }
        var after = Replay.apply(snapshot);
        return new Apply(after, Changes.between(image, after));
    }

    private static Follow change(ClusterImage image, Delta delta) {
        if (delta.to().controllerEpoch() < image.version().controllerEpoch()) {
            return new Leave("delta to=" + delta.to() + " is of an older controller than image=" + image.version());
        }
        if (image.version().reaches(delta.to())) {
            return new Stay();
        }
        return image.version().equals(delta.from())
                ? new Apply(Replay.apply(image, delta), Replay.changes(image, delta.records()))
                : new Leave("gap between image=" + image.version() + " and delta from=" + delta.from());
    }

    private static Follow heartbeat(MetadataVersion image, MetadataVersion sent) {
        if (sent.controllerEpoch() < image.controllerEpoch()) {
            return new Leave("controller at=" + sent + " is older than image=" + image);
        }
        return image.reaches(sent) ? new Stay() : new Leave("gap between image=" + image + " and sent=" + sent);
    }
}
