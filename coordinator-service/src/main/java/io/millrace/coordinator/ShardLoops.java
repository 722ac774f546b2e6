package io.millrace.coordinator;

import java.util.List;
import java.util.stream.IntStream;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.SingleThreadLoop;

/// The threads of this coordinator.
///
/// @param shards each runs a part of the shards
/// @param storage waits between attempts to reach a broker
record ShardLoops(List<SingleThreadLoop> shards, SingleThreadLoop storage) implements AutoCloseable {
    static ShardLoops of(CoordinatorSettings settings) {
        return new ShardLoops(
                IntStream.range(0, settings.threads())
                        .mapToObj(number -> new SingleThreadLoop(settings.name() + "-shards-" + number)).toList(),
                new SingleThreadLoop(settings.name() + "-storage"));
    }

    List<Loop> forShards() {
        return List.copyOf(shards);
    }

    @Override
    public void close() {
        storage.close();
        shards.forEach(SingleThreadLoop::close);
    }
}
