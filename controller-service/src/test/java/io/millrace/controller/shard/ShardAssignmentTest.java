package io.millrace.controller.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.metadata.image.ShardImage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShardAssignmentTest {

    @Test
    void firstOwnersHaveEpochOne() {
        var shards = assign(List.of(), 3, new TreeSet<>(Set.of(1000)));

        assertThat(shards).containsExactly(new ShardImage(0, 1000, 1), new ShardImage(1, 1000, 1), new ShardImage(2,
                1000,
                1));
    }

    @Test
    void nobodyToOwnThemKeepsTheEpochForTheNextOwner() {
        var orphaned = assign(List.of(new ShardImage(0, 1000, 7)), 1, new TreeSet<>());
        var adopted = assign(orphaned, 1, new TreeSet<>(Set.of(1001)));

        assertThat(orphaned).containsExactly(new ShardImage(0, ShardImage.NO_OWNER, 7));
        assertThat(adopted).containsExactly(new ShardImage(0, 1001, 8));
    }

    @Test
    void shardsOfATopicThatWasDeletedKeepTheirEpochs() {
        var gone = assign(List.of(new ShardImage(0, 1000, 7)), 0, new TreeSet<>(Set.of(1000)));
        var back = assign(gone, 1, new TreeSet<>(Set.of(1000)));

        assertThat(gone).containsExactly(new ShardImage(0, ShardImage.NO_OWNER, 7));
        assertThat(back).containsExactly(new ShardImage(0, 1000, 8));
    }

    @Test
    void whoLeavesKeepsItsShardsUntilTheirSuccessorsAreReady() {
        var leaving = new Owners(new TreeSet<>(Set.of(1001, 1002)), Set.of(1000));
        var now = List.of(new ShardImage(0, 1000, 7), new ShardImage(1, 1000, 2));

        var prepared = ShardAssignment.assign(now, 2, leaving, 0);

        assertThat(prepared).containsExactly(new ShardImage(0, 1000, 7, 1001), new ShardImage(1, 1000, 2, 1002));
        assertThat(ShardAssignment.assign(prepared, 2, leaving, 0)).isEqualTo(prepared);
        assertThat(ShardAssignment.assign(prepared, 2, active(new TreeSet<>(Set.of(1001, 1002))), 0)).as("it is gone")
                .containsExactly(new ShardImage(0, 1001, 8), new ShardImage(1, 1002, 3));
    }

    @Test
    void whoLeavesAsTheLastOneKeepsAll() {
        var now = List.of(new ShardImage(0, 1000, 7));

        assertThat(ShardAssignment.assign(now, 1, new Owners(new TreeSet<>(), Set.of(1000)), 0)).isEqualTo(now);
    }

    @Test
    void aSuccessorThatIsGoneIsReplacedByAnother() {
        var prepared = List.of(new ShardImage(0, 1000, 7, 1001));

        assertThat(ShardAssignment.assign(prepared, 1, new Owners(new TreeSet<>(Set.of(1002)), Set.of(1000)), 0))
                .containsExactly(new ShardImage(0, 1000, 7, 1002));
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void sharesStayEvenAndNoShardMovesWithoutNeed(long seed) {
        var random = new Random(seed);
        int count = 1 + random.nextInt(60);
        var coordinators = new TreeSet<Integer>();
        var shards = List.<ShardImage>of();
        for (int step = 0; step < 40; step++) {
            int node = 1000 + random.nextInt(7);
            if (!coordinators.remove(node)) {
                coordinators.add(node);
            }
            var before = shards;
            shards = assign(before, count, coordinators);

            assertThat(shards).extracting(ShardImage::shard).isEqualTo(IntStream.range(0, count).boxed().toList());
            assertEpochsFollowOwners(before, shards);
            if (!coordinators.isEmpty()) {
                assertEven(shards, coordinators);
                assertThat(moved(before, shards)).isLessThanOrEqualTo(needed(before, count, coordinators));
            }
            assertThat(assign(shards, count, coordinators)).isEqualTo(shards);
        }
    }

    static LongStream seeds() {
        return Seeds.of(50);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void onlySoManyLeaveWhoGoesOnAtATimeAndInTheEndAllIsEven(long seed) {
        var random = new Random(seed);
        int count = 1 + random.nextInt(60);
        var coordinators = new TreeSet<>(Set.of(1000));
        var shards = assign(List.of(), count, coordinators);
        coordinators.add(1001);
        coordinators.add(1002);
        for (int step = 0; step < 20; step++) {
            var before = shards;
            shards = handedOver(ShardAssignment.assign(before, count, active(coordinators), 3));

            assertThat(moved(before, shards)).isLessThanOrEqualTo(3);
        }
        assertEven(shards, coordinators);
        assertThat(ShardAssignment.assign(shards, count, active(new TreeSet<>(Set.of(1002))), 0)).as(
                "the homeless at once")
                .allMatch(shard -> shard.owner() == 1002);
    }

    private static List<ShardImage> assign(List<ShardImage> now, int count, SortedSet<Integer> coordinators) {
        return handedOver(ShardAssignment.assign(now, count, active(coordinators), Integer.MAX_VALUE));
    }

    private static Owners active(SortedSet<Integer> coordinators) {
        return new Owners(coordinators, Set.of());
    }

    /// As if all successors were ready at once.
    private static List<ShardImage> handedOver(List<ShardImage> shards) {
        return shards.stream().map(shard -> shard.hasSuccessor() ? shard.handedTo(shard.successor()) : shard).toList();
    }

    private static void assertEpochsFollowOwners(List<ShardImage> before, List<ShardImage> after) {
        for (var was : before) {
            var is = after.get(was.shard());
            boolean handedOver = is.owner() != was.owner() && is.hasOwner();
            assertThat(is.epoch()).isEqualTo(was.epoch() + (handedOver ? 1 : 0));
        }
    }

    private static void assertEven(List<ShardImage> shards, Set<Integer> coordinators) {
        var counts = shards.stream().collect(Collectors.groupingBy(ShardImage::owner, Collectors.counting()));
        assertThat(coordinators).containsAll(counts.keySet());
        var sizes = coordinators.stream().map(id -> counts.getOrDefault(id, 0L)).toList();
        assertThat(sizes.stream().mapToLong(Long::longValue).max().orElse(0) - sizes.stream().mapToLong(Long::longValue)
                .min().orElse(0)).isLessThanOrEqualTo(1);
    }

    private static long moved(List<ShardImage> before, List<ShardImage> after) {
        return before.stream().filter(was -> was.hasOwner() && after.get(was.shard()).owner() != was.owner()).count();
    }

    /// Those whose owner is gone, and what each of the others has above its share.
    private static long needed(List<ShardImage> before, int count, Set<Integer> coordinators) {
        var owned = before.stream().filter(ShardImage::hasOwner).collect(Collectors.groupingBy(ShardImage::owner,
                Collectors
                        .counting()));
        long gone = owned.entrySet().stream().filter(entry -> !coordinators.contains(entry.getKey())).mapToLong(
                Map.Entry::getValue).sum();
        int low = count / coordinators.size();
        return gone + owned.entrySet().stream().filter(entry -> coordinators.contains(entry.getKey())).mapToLong(
                entry -> Math.max(0, entry.getValue() - low)).sum();
    }
}
