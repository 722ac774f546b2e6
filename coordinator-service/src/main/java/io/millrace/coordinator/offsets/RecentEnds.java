package io.millrace.coordinator.offsets;

import java.util.LinkedHashMap;
import java.util.Map;

/// Which producers' transactions ended lately in a shard, so that a commit which was admitted before such an end does not come
/// in behind it: nobody would end what it begins. Belongs to the shard's loop.
public final class RecentEnds {
    private static final int MOST = 10_000;

    private final Map<Long, Long> numbers = new LinkedHashMap<>();
    private long last;
    /// Of the newest end that is not kept any more.
    private long forgotten;

    /// Given before the coordinator of a transaction is asked about it: its answer counts as long as that producer's
    /// transaction has not ended since, in the life of the shard that gave it.
    public record Leave(RecentEnds of, long number) {}

    public Leave leave() {
        return new Leave(this, last);
    }

    /// The marker of that producer's transaction is stored.
    public void ended(long producerId) {
        numbers.remove(producerId);
        numbers.put(producerId, ++last);
        if (numbers.size() > MOST) {
            var eldest = numbers.entrySet().iterator();
            forgotten = eldest.next().getValue();
            eldest.remove();
        }
    }

    /// Whether what was said under that leave still counts.
    public boolean counts(Leave leave, long producerId) {
        return leave.of() == this && numbers.getOrDefault(producerId, forgotten) <= leave.number();
    }
}
