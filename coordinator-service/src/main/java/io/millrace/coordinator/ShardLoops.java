package io.millrace.coordinator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.service.lifecycle.LivenessCheck;
import io.millrace.service.lifecycle.LivenessCheck.NamedLoop;
import io.millrace.wire.client.ClientLimits;
import io.millrace.wire.client.NodeClient;
import io.millrace.wire.connection.EventLoops;
import reactor.netty.resources.LoopResources;

/// The threads of this coordinator.
///
/// @param shards each runs a part of the shards, and the connections by which these append: so an append's answer is at once
///        where it is waited for
/// @param clients of the shards, one for each loop
/// @param events under the loops of the shards
/// @param storage waits between attempts to reach a broker
/// @param markers sends the markers of transactions
record ShardLoops(List<Loop> shards, List<NodeClient> clients, LoopResources events, SingleThreadLoop storage,
        SingleThreadLoop markers)
        implements
            AutoCloseable {
    static ShardLoops of(CoordinatorSettings settings) {
        var events = LoopResources.create(settings.name() + "-shards", settings.threads(), true);
        var group = events.onServer(true);
        var loops = IntStream.range(0, settings.threads()).mapToObj(_ -> group.next()).toList();
        return new ShardLoops(loops.stream().map(EventLoops::loopOf).toList(),
                loops.stream().map(loop -> NodeClient.on(loop, settings.name(), events, ClientLimits.DEFAULTS))
                        .toList(),
                events, new SingleThreadLoop(settings.name() + "-storage"),
                new SingleThreadLoop(settings.name() + "-markers"));
    }

    /// The client whose connections live on the loop of that shard.
    IntFunction<NodeClient> clientOfShard() {
        return shard -> clients.get(shard % clients.size());
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
        clients.forEach(NodeClient::close);
        events.dispose();
        markers.close();
    }
}
