package io.millrace.controller;

import java.util.UUID;
import java.util.function.Supplier;

import io.millrace.metadata.znode.TopicIds;

/// Random ids. None begins with a dash, since people give them to command lines.
final class NewIds implements Supplier<UUID> {
    @Override
    public UUID get() {
        var id = UUID.randomUUID();
        while (TopicIds.text(id).startsWith("-")) {
            id = UUID.randomUUID();
        }
        return id;
    }
}
