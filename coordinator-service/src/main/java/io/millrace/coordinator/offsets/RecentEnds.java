package io.millrace.coordinator.offsets;

import java.util.LinkedHashMap;
import java.util.Map;

/// Which producers' transactions ended lately in a shard, so that a commit which was admitted before such an end does not come
/// in behind it, nor one that a coordinator admitted which was deposed before that end: nobody would end what it begins.
/// Belongs to the shard's loop.
public final class RecentEnds {
    private static final int MOST = 10_000;
    private static final int NOBODY = -1;

    private final Map<Long, End> ends = new LinkedHashMap<>();
    private long last;
    /// Of the newest end that is not kept any more.
    private long forgotten;

    private record End(long number, int coordinatorEpoch) {}

    /// Given before the coordinator of a transaction is asked about it: its answer counts as long as that producer's
    /// transaction has not ended since, in the life of the shard that gave it.
    public record Leave(RecentEnds of, long number) {}

    public Leave leave() {
        return new Leave(this, last);
    }

    /// The marker of that producer's transaction is on its way into the log, where what is let in from now on comes behind it.
    /// It may yet be refused, so who decided it does not count.
    public void ending(long producerId) {
        var before = ends.get(producerId);
        ended(producerId, before == null ? NOBODY : before.coordinatorEpoch());
    }

    /// The marker of that producer's transaction is stored.
    ///
    /// @param coordinatorEpoch of whoever decided the end
    public void ended(long producerId, int coordinatorEpoch) {
        ends.remove(producerId);
        ends.put(producerId, new End(++last, coordinatorEpoch));
        if (ends.size() > MOST) {
            var eldest = ends.entrySet().iterator();
            forgotten = eldest.next().getValue().number();
            eldest.remove();
        }
    }

    /// Whether what was said under that leave still counts.
    ///
    /// @param coordinatorEpoch of whoever said it
    public boolean counts(Leave leave, long producerId, int coordinatorEpoch) {
        var end = ends.get(producerId);
        return leave.of() == this && (end == null
                ? forgotten <= leave.number()
                : end.number() <= leave.number() && end.coordinatorEpoch() <= coordinatorEpoch);
    }
}
