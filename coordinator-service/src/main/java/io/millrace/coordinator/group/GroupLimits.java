package io.millrace.coordinator.group;

/// What a group may ask for.
///
/// @param minSessionTimeoutMillis `group.min.session.timeout.ms`
/// @param maxSessionTimeoutMillis `group.max.session.timeout.ms`
/// @param maxSize `group.max.size`, members
/// @param initialRebalanceDelayMillis `group.initial.rebalance.delay.ms`
public record GroupLimits(int minSessionTimeoutMillis, int maxSessionTimeoutMillis, int maxSize,
        int initialRebalanceDelayMillis) {
    public GroupLimits {
        if (maxSize < 1 || initialRebalanceDelayMillis < 0 || maxSessionTimeoutMillis < minSessionTimeoutMillis) {
            throw new IllegalArgumentException("group limits: sessions of " + minSessionTimeoutMillis + " to "
                    + maxSessionTimeoutMillis + " ms, " + maxSize + " members, initial delay "
                    + initialRebalanceDelayMillis + " ms");
        }
    }

    /// Whether a member may ask for this session timeout.
    public boolean allowsSession(int timeoutMillis) {
        return timeoutMillis >= minSessionTimeoutMillis && timeoutMillis <= maxSessionTimeoutMillis;
    }
}
