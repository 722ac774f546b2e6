package io.millrace.metadata.command;

import java.util.List;
import java.util.UUID;

import io.millrace.base.check.Check;
import org.jspecify.annotations.Nullable;

/// Deletes topics. Answered once every live node applied it, or `timeoutMillis` passed.
///
/// @param timeoutMillis how long to wait for the nodes; 0 does not wait
public record DeleteTopics(List<TopicRef> topics, long timeoutMillis) implements Command<DeleteTopics.Result> {
    public DeleteTopics {
        topics = List.copyOf(topics);
    }

    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// A topic by name or by id.
    ///
    /// @param name null where `id` names it
    /// @param id null where `name` names it
    public record TopicRef(@Nullable String name, @Nullable UUID id) {
        public TopicRef {
            Check.argument((name == null) != (id == null), "a topic is named by one of name and id, not by name=" + name
                    + " id=" + id);
        }

        /// By its name.
        public static TopicRef named(String name) {
            return new TopicRef(name, null);
        }

        /// By its id.
        public static TopicRef identified(UUID id) {
            return new TopicRef(null, id);
        }
    }

    /// @param topics one outcome a topic, in the order of the command
    public record Result(List<TopicOutcome> topics) {
        public Result {
            topics = List.copyOf(topics);
        }
    }
}
