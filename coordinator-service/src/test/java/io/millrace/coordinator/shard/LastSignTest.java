package io.millrace.coordinator.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import io.millrace.wire.api.AddedText;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Test;

/// When a group was last heard of, and when its offsets were committed.
class LastSignTest {
    private final ShardWorld world = new ShardWorld();

    @Test
    void groupWasLastHeardOfWhenItsYoungestOffsetWasCommitted() {
        world.own(1);
        world.commit("g", "t", 0, 1);
        world.commit("other", "t", 0, 1);
        world.loop.advance(Duration.ofSeconds(10));
        long second = world.loop.clock().millis();
        world.commit("g", "t", 1, 1);
        world.loop.advance(Duration.ofSeconds(10));

        assertThat(signs()).containsEntry("g", second).hasSize(2);
        assertThat(signs().get("other")).isLessThan(second);
    }

    @Test
    void groupWasLastHeardOfWhenItsLastMemberLeftEvenByAnotherOwner() {
        world.own(1);
        var member = world.joinAlone("g");
        world.commit("g", member, 1, "t", 0, 1, "");
        world.loop.advance(Duration.ofSeconds(5));
        long left = world.loop.clock().millis();
        world.call(active -> active.leave(new LeaveGroupRequestData().setGroupId("g").setMembers(List.of(
                new MemberIdentity().setMemberId(member)))));
        world.settle();
        world.shard.disown();
        world.own(2);

        assertThat(signs()).hasSize(1).hasValueSatisfying(new Condition<>(sign -> sign >= left,
                "when the member left"));
    }

    @Test
    void listSaysNothingOfItToOthers() {
        world.own(1);
        world.commit("g", "t", 0, 1);
        world.settle();

        var listed = world.call(active -> CompletableFuture.completedFuture(active.list())).join();

        assertThat(listed).singleElement().satisfies(group -> assertThat(AddedText.of(group)).isEmpty());
    }

    @Test
    void offsetsAreToldWithTheirTimesWhereThatIsAsked() {
        world.own(1);
        long now = world.loop.clock().millis();
        world.commit("g", "t", 0, 1);
        world.settle();
        var timed = new OffsetFetchRequestGroup().setGroupId("g").setTopics(null);
        AddedText.add(timed, "times");

        assertThat(AddedText.of(fetched(timed))).contains(Long.toString(now));
        assertThat(AddedText.of(fetched(new OffsetFetchRequestGroup().setGroupId("g").setTopics(null)))).isEmpty();
    }

    private OffsetFetchResponsePartitions fetched(OffsetFetchRequestGroup request) {
        var answer = world.call(active -> active.fetch(request, false));
        world.settle();
        return answer.join().topics().getFirst().partitions().getFirst();
    }

    private Map<String, Long> signs() {
        return world.call(active -> CompletableFuture.completedFuture(active.listWithSigns())).join().stream().collect(
                Collectors.toMap(ListedGroup::groupId, group -> Long.valueOf(AddedText.of(group).orElseThrow())));
    }
}
