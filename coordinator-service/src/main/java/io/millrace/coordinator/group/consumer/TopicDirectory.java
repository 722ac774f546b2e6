package io.millrace.coordinator.group.consumer;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.image.TopicsImage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;

/// The topics that groups can read, as far as assignments depend on them: names, ids, numbers of partitions. A new one is
/// made only where one of these changed. Callable from any thread.
public final class TopicDirectory {
    /// No topics.
    public static final TopicDirectory EMPTY = new TopicDirectory(TopicsImage.EMPTY, 0, new ConcurrentHashMap<>());
    /// Beyond as many patterns, those known are matched again with the next change of topics.
    private static final int MOST_PATTERNS = 1000;

    private final TopicsImage topics;
    private final long version;
    private final ConcurrentMap<String, Matches> matches;

    private record Matches(Pattern pattern, Set<String> names) {}

    private TopicDirectory(TopicsImage topics, long version, ConcurrentMap<String, Matches> matches) {
        this.topics = topics;
        this.version = version;
        this.matches = matches;
    }

    /// With what is there now.
    ///
    /// @param changed names of topics that came or went; the patterns in use are matched against these alone
    public TopicDirectory with(TopicsImage now, Set<String> changed) {
        var next = new ConcurrentHashMap<String, Matches>();
        if (matches.size() <= MOST_PATTERNS) {
            matches.forEach((text, known) -> next.put(text, updated(known, now, changed)));
        }
        return new TopicDirectory(now, version + 1, next);
    }

    private static Matches updated(Matches known, TopicsImage now, Set<String> changed) {
        var names = new TreeSet<>(known.names());
        for (var name : changed) {
            if (now.topic(name).isPresent() && fits(known.pattern(), name)) {
                names.add(name);
            } else {
                names.remove(name);
            }
        }
        return names.equals(known.names()) ? known : new Matches(known.pattern(), names);
    }

    /// Goes up with each change.
    long version() {
        return version;
    }

    /// The topic of that name.
    public Optional<TopicImage> named(String name) {
        return topics.topic(name);
    }

    /// The topic of that id.
    public Optional<TopicImage> of(Uuid id) {
        return topics.topic(new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits()));
    }

    /// Kafka's form of a topic's id.
    static Uuid id(TopicImage topic) {
        return new Uuid(topic.id().getMostSignificantBits(), topic.id().getLeastSignificantBits());
    }

    /// The names that a pattern stands for; Kafka's internal topics are never meant.
    ///
    /// @param pattern a valid one
    Set<String> matching(String pattern) {
        return matches.computeIfAbsent(pattern, text -> {
            var compiled = Pattern.compile(text);
            var names = new TreeSet<String>();
            topics.byName().keySet().stream().filter(name -> fits(compiled, name)).forEach(names::add);
            return new Matches(compiled, names);
        }).names();
    }

    /// What is wrong with a pattern; empty where nothing is. The syntax is RE2's, whose matching takes linear time.
    static Optional<String> problem(String pattern) {
        try {
            Pattern.compile(pattern);
            return Optional.empty();
        } catch (PatternSyntaxException invalid) {
            return Optional.of(String.valueOf(invalid.getDescription()));
        }
    }

    private static boolean fits(Pattern pattern, String name) {
        return pattern.matches(name) && !Topic.isInternal(name);
    }
}
