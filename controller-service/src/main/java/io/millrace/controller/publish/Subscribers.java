package io.millrace.controller.publish;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.controller.core.ControllerEvent;
import io.millrace.controller.core.ControllerEvent.StreamDown;
import io.millrace.controller.core.ControllerEvent.StreamUp;
import io.millrace.metadata.command.DescribeSubscribers;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.stream.Subscriber;
import io.millrace.metadata.stream.SubscriberListener;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// The nodes that follow the stream. Told on event loops, it goes on on the controller's.
///
/// A node is up once it applied its first image. Of several streams of one node that of the newest registration counts, and
/// of several of that the newest: it has restarted, or noticed a broken connection before this side did. A process that was
/// paused while another took its place is heard of no more.
@Slf4j
public final class Subscribers implements SubscriberListener {
    private final Loop loop;
    private final Consumer<ControllerEvent> events;
    private final AppliedVersions applied;
    private final Ticker ticker;
    private final Map<NodeKey, Stream> streams = new HashMap<>();
    private volatile @Nullable Long laggingSinceNanos;

    /// @param loop the controller's
    /// @param events told on it when nodes come and go
    public Subscribers(Loop loop, Ticker ticker, Consumer<ControllerEvent> events) {
        this.loop = loop;
        this.events = events;
        this.ticker = ticker;
        applied = new AppliedVersions(loop, ticker);
    }

    private record Stream(long id, long nodeEpoch, boolean up) {
        boolean isBefore(Subscriber subscriber) {
            long epoch = subscriber.hello().nodeEpoch();
            return nodeEpoch < epoch || (nodeEpoch == epoch && id < subscriber.stream());
        }
    }

    @Override
    public void connected(Subscriber subscriber) {
        onLoop(() -> {
            var now = streams.get(key(subscriber));
            if (now == null || now.isBefore(subscriber)) {
                streams.put(key(subscriber), new Stream(subscriber.stream(), subscriber.hello().nodeEpoch(), false));
                if (applied.isCurrent(subscriber.hello().last())) {
                    // It comes back with all there is, so nothing will be sent for it to apply.
                    tookOver(subscriber, subscriber.hello().last());
                }
            }
        });
    }

    @Override
    public void applied(Subscriber subscriber, MetadataVersion version) {
        onLoop(() -> tookOver(subscriber, version));
    }

    private void tookOver(Subscriber subscriber, MetadataVersion version) {
        var node = key(subscriber);
        var now = streams.get(node);
        if (now == null || now.id() != subscriber.stream()) {
            return;
        }
        applied.applied(node, version);
        if (!now.up()) {
            streams.put(node, new Stream(now.id(), now.nodeEpoch(), true));
            var hello = subscriber.hello();
            events.accept(new StreamUp(node, now.nodeEpoch(), hello.http(), hello.softwareVersion()));
        }
    }

    @Override
    public void disconnected(Subscriber subscriber) {
        onLoop(() -> {
            var node = key(subscriber);
            var now = streams.get(node);
            if (now != null && now.id() == subscriber.stream()) {
                streams.remove(node);
                events.accept(new StreamDown(node, now.nodeEpoch()));
            }
        });
    }

    void published(ClusterImage image) {
        applied.published(image);
        laggingSinceNanos = applied.oldestUnappliedNanos();
    }

    CompletableFuture<Boolean> await(MetadataVersion version, Duration atMost) {
        return applied.await(version, atMost);
    }

    void end() {
        applied.end();
        streams.clear();
    }

    /// Who follows, and how far, by role and id. Called on the loop.
    public List<DescribeSubscribers.Row> describe() {
        loop.assertInLoop();
        return streams.entrySet().stream().filter(stream -> stream.getValue().up()).map(
                stream -> new DescribeSubscribers.Row(stream.getKey().role(), stream.getKey().id(), stream.getValue()
                        .nodeEpoch(), applied.of(stream.getKey()), applied.lag(stream.getKey()).toMillis())).sorted(
                                Comparator.comparing(DescribeSubscribers.Row::role).thenComparingInt(
                                        DescribeSubscribers.Row::id)).toList();
    }

    /// How long the oldest version has waited that some active node has not applied. Callable from any thread.
    public Duration lag() {
        var since = laggingSinceNanos;
        return since == null ? Duration.ZERO : ticker.since(since);
    }

    private void onLoop(Runnable task) {
        try {
            loop.execute(() -> {
                task.run();
                laggingSinceNanos = applied.oldestUnappliedNanos();
            });
        } catch (RejectedExecutionException _) {
            log.debug("a stream outlived the controller's loop");
        }
    }

    private static NodeKey key(Subscriber subscriber) {
        return new NodeKey(subscriber.hello().role(), subscriber.hello().id());
    }
}
