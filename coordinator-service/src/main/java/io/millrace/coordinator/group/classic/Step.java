package io.millrace.coordinator.group.classic;

import java.util.List;

/// What came of an event.
///
/// @param reason why the group's state changed, for the log; empty where it did not
public record Step(ClassicGroup group, List<Effect> effects, String reason) {
    public Step {
        effects = List.copyOf(effects);
    }
}
