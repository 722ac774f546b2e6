package io.millrace.wire.server;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.millrace.base.loop.Ticker;
import io.millrace.wire.api.ApiRegistry;
import io.millrace.wire.api.ClientSoftware;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.connection.EventLoops;
import io.millrace.wire.connection.KafkaConnection;
import io.millrace.wire.connection.NetworkMetrics;
import io.millrace.wire.frame.FrameMemory;
import io.millrace.wire.server.ListenerConfig.TotalLimits;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.DisposableServer;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpServer;

/// A listener that speaks the Kafka protocol. reactor-netty binds and gives event loops; its reactive bridge is taken out
/// of each connection, since it drops file regions (`NettyOutbound.sendObject`) and hides the channel's writability.
@Slf4j
public final class KafkaServer implements AutoCloseable {
    private static final String REACTIVE_BRIDGE = "reactor.right.reactiveBridge";
    private static final int RECEIVE_MIN = 2048;
    private static final int RECEIVE_MAX = 65_536;
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(65_536, 262_144);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

    private final ListenerConfig config;
    private final ApiRegistry registry;
    private final NetworkMetrics metrics;
    private final FrameMemory memory;
    private final ConnectionCounts counts;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Channel, KafkaConnection> connections = new ConcurrentHashMap<>();
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final DisposableServer listening;

    private volatile boolean stopping;

    private KafkaServer(ListenerConfig config, LoopResources loops, ApiRegistry registry, NetworkMetrics metrics) {
        this.config = config;
        this.registry = registry;
        this.metrics = metrics;
        this.memory = new FrameMemory(config.total().requestMemoryBytes());
        this.counts = new ConnectionCounts(config.total());
        this.listening = listen(loops);
    }

    /// Binds and begins to accept. Blocks until bound; not to be called on an event loop.
    ///
    /// @param loops event loops of the connections; shared with other servers and clients, and not closed by this one
    /// @throws reactor.netty.ChannelBindException where the address cannot be bound
    public static KafkaServer bind(ListenerConfig config, LoopResources loops, ApiRegistry registry,
            NetworkMetrics metrics) {
        var server = new KafkaServer(config, loops, registry, metrics);
        log.info("listening listener={} address={}", config.name(), server.address());
        return server;
    }

    /// Limits connections otherwise from the next one on; the memory of requests stays as it is.
    public void limit(TotalLimits limits) {
        counts.limit(limits);
    }

    /// The address bound: with the port chosen where the configuration said 0.
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.address();
    }

    /// Stops accepting, lets each connection finish what it has in hand, and closes it. Blocks until all are closed or
    /// `atMost` has passed; what is left then is closed as it stands. Not to be called on an event loop.
    public void drain(Duration atMost) {
        stopAccepting();
        connections.values().forEach(KafkaConnection::drain);
        boolean drained = channels.newCloseFuture().awaitUninterruptibly(atMost.toMillis());
        log.info("drained listener={} complete={} connections={}", config.name(), drained, connections.size());
        channels.close();
    }

    /// Closes the listener and all its connections at once. Blocks for at most a few seconds, until they are closed.
    @Override
    public void close() {
        stopAccepting();
        channels.close().awaitUninterruptibly(CLOSE_WAIT.toMillis());
    }

    /// A connection just being accepted is either among `connections` once this returns, or sees the mark.
    private void stopAccepting() {
        stopping = true;
        listening.channel().close().awaitUninterruptibly(CLOSE_WAIT.toMillis());
    }

    private DisposableServer listen(LoopResources loops) {
        var sockets = config.sockets();
        var server = TcpServer.create()
                .runOn(loops)
                .bindAddress(() -> config.host().isEmpty()
                        ? new InetSocketAddress(config.port())
                        : new InetSocketAddress(config.host(), config.port()))
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, sockets.backlog())
                // Netty's newer default gives frames of a hundred kilobytes memory that is mapped, and given back, each time.
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK);
        if (sockets.sendBufferBytes() > 0) {
            server = server.childOption(ChannelOption.SO_SNDBUF, sockets.sendBufferBytes());
        }
        if (sockets.receiveBufferBytes() > 0) {
            server = server.option(ChannelOption.SO_RCVBUF, sockets.receiveBufferBytes());
        }
        return server.doOnConnection(this::accept).handle((_, _) -> Mono.never()).bindNow();
    }

    private void accept(Connection accepted) {
        var channel = accepted.channel();
        var client = (InetSocketAddress) channel.remoteAddress();
        if (client == null) {
            channel.close(); // gone before it was here
            return;
        }
        if (!counts.add(client.getAddress())) {
            metrics.listener(config.name()).refused();
            log.debug("connection refused listener={} client={} connections={}", config.name(), client, counts.total());
            channel.close();
            return;
        }
        begin(channel, client);
    }

    private void begin(Channel channel, InetSocketAddress client) {
        var id = config.name() + '-' + channel.localAddress() + '-' + client + '-' + numbers.getAndIncrement();
        var connection = new RequestContext.Connection(id, config.name(), client, KafkaPrincipal.ANONYMOUS,
                ClientSoftware.UNKNOWN, EventLoops.loopOf(channel.eventLoop()));
        channel.pipeline().remove(REACTIVE_BRIDGE);
        channel.config().setRecvByteBufAllocator(
                new AdaptiveRecvByteBufAllocator(RECEIVE_MIN, RECEIVE_MAX, RECEIVE_MAX));
        var begun = KafkaConnection.begin(channel, connection, config.connection(), memory, registry, metrics,
                Ticker.SYSTEM);
        connections.put(channel, begun);
        channel.closeFuture().addListener(_ -> {
            connections.remove(channel);
            counts.remove(client.getAddress());
        });
        channels.add(channel);
        if (stopping) {
            begun.drain();
        }
    }
}
