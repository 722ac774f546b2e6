package io.millrace.coordinator;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.service.lifecycle.LivenessCheck;
import io.millrace.service.lifecycle.LivenessCheck.NamedLoop;

/// The threads of this coordinator.
///
/// @param shards each runs a part of the shards
/// @param storage waits between attempts to reach a broker
/// @param markers sends the markers of transactions
record ShardLoops(List<SingleThreadLoop> shards, SingleThreadLoop storage, SingleThreadLoop markers)
        implements
            AutoCloseable {
    static ShardLoops of(CoordinatorSettings settings) {
        return new ShardLoops(
                IntStream.range(0, settings.threads())
                        .mapToObj(number -> new SingleThreadLoop(settings.name() + "-shards-" + number)).toList(),
                new SingleThreadLoop(settings.name() + "-storage"),
                new SingleThreadLoop(settings.name() + "-markers"));
    }

    List<Loop> forShards() {
        return List.copyOf(shards);
    }

    /// Alive while each of them turns.
    LivenessCheck liveness() {
        var all = new ArrayList<NamedLoop>();
        for (int i = 0; i < shards.size(); i++) {
            all.add(new NamedLoop("shards-" + i, shards.get(i)));
        }
        all.add(new NamedLoop("storage", storage));
        all.add(new NamedLoop("markers", markers));
        return new LivenessCheck(all);
    }

    @Override
    public void close() {
        storage.close();
        shards.forEach(SingleThreadLoop::close);
        markers.close();
    }
}
