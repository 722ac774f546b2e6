package io.millrace.wire.client;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.millrace.wire.error.Failures;
import io.millrace.wire.error.NodeUnreachable;
import io.millrace.wire.frame.FrameDecoder;
import io.millrace.wire.frame.FrameMemory;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.NoopDnsCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import reactor.netty.resources.LoopResources;

/// Opens connections to nodes. Names are looked up at each connect, uncached, without blocking the event loop: a node
/// that comes back under its name on another address is found at once.
final class NodeConnector implements AutoCloseable {
    private final String clientId;
    private final LoopResources loops;
    private final DnsAddressResolverGroup resolvers;

    NodeConnector(String clientId, LoopResources loops) {
        this.clientId = clientId;
        this.loops = loops;
        resolvers = new DnsAddressResolverGroup(new DnsNameResolverBuilder()
                .datagramChannelType(loops.onChannelClass(DatagramChannel.class, loops.onClient(true)))
                .resolveCache(NoopDnsCache.INSTANCE)
                .cnameCache(NoopDnsCnameCache.INSTANCE));
    }

    CompletableFuture<NodeChannel> connect(EventLoop eventLoop, NodeLink link) {
        var node = link.node();
        long timeoutMillis = link.limits().connectTimeout().toMillis();
        var connected = new CompletableFuture<NodeChannel>();
        var connecting = new Bootstrap().group(eventLoop)
                .channel(loops.onChannelClass(SocketChannel.class, loops.onClient(true)))
                .resolver(resolvers)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) timeoutMillis)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast("frames",
                                        new FrameDecoder(link.limits().maxAnswerBytes(),
                                                new FrameMemory(Long.MAX_VALUE)))
                                .addLast("answers", new NodeChannel(channel, link, clientId));
                    }
                })
                .connect(InetSocketAddress.createUnresolved(node.host(), node.port()));
        connecting.addListener(result -> {
            if (result.isSuccess()) {
                negotiate(((ChannelFuture) result).channel(), connected);
            } else {
                connected.completeExceptionally(new NodeUnreachable(node + ": cannot connect", result.cause()));
            }
        });
        return bounded(connected, eventLoop, connecting.channel(), link);
    }

    private static void negotiate(Channel channel, CompletableFuture<NodeChannel> connected) {
        channel.pipeline().get(NodeChannel.class).negotiate().whenComplete((ready, failure) -> {
            if (failure == null) {
                connected.complete(ready);
            } else {
                connected.completeExceptionally(Failures.cause(failure));
            }
        });
    }

    /// Bounds lookup, connecting and negotiation together.
    private static CompletableFuture<NodeChannel> bounded(CompletableFuture<NodeChannel> connected, EventLoop eventLoop,
            Channel channel, NodeLink link) {
        var timeout = eventLoop.schedule(() -> {
            if (connected.completeExceptionally(new NodeUnreachable(link.node() + ": no connection in time", null))) {
                channel.close();
            }
        }, link.limits().connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
        connected.whenComplete((_, _) -> timeout.cancel(false));
        return connected;
    }

    @Override
    public void close() {
        resolvers.close();
    }
}
