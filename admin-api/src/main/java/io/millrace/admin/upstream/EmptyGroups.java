package io.millrace.admin.upstream;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.wire.api.AddedText;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;

/// Groups without members, and how long nothing was heard of them, asked of all coordinators.
@Slf4j
public final class EmptyGroups {
    private static final String EMPTY = "Empty";

    private final Cluster cluster;

    /// @param cluster where the coordinators are
    public EmptyGroups(Cluster cluster) {
        this.cluster = cluster;
    }

    /// A group without members.
    ///
    /// @param lastSignMillis when the last commit came, the last member left, or the group was changed, since 1970
    public record EmptyGroup(String id, Group.Type type, long lastSignMillis) {}

    /// By id. Groups of coordinators that do not answer are missing, and so are those of which no time is known.
    public List<EmptyGroup> list() {
        var answers = new TreeMap<Integer, CompletableFuture<ListGroupsResponseData>>();
        for (var coordinator : cluster.image().liveCoordinators()) {
            var request = new ListGroupsRequestData().setStatesFilter(List.of(EMPTY));
            AddedText.add(request, "signs");
            answers.put(coordinator.id(), cluster.ask(coordinator, request));
        }
        var groups = new ArrayList<EmptyGroup>();
        answers.forEach((coordinator, answer) -> {
            try {
                var listed = Cluster.join(answer);
                KafkaProblems.check(listed.errorCode(), null);
                listed.groups().forEach(group -> AddedText.of(group).ifPresent(sign -> groups.add(new EmptyGroup(group
                        .groupId(), Group.Type.of(group.groupType()), Long.parseLong(sign)))));
            } catch (RuntimeException failure) {
                log.warn("event=list-groups-failed coordinator={} cause=\"{}\"", coordinator, failure.toString());
            }
        });
        groups.sort(Comparator.comparing(EmptyGroup::id));
        return groups;
    }
}
