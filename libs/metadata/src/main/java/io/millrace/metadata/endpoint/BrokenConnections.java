package io.millrace.metadata.endpoint;

import java.io.IOException;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import lombok.extern.slf4j.Slf4j;

/// Ends a connection that the other side broke off. Whoever used it hears of that by its end, and says so; Netty would
/// warn of it once more, with a stack.
@Sharable
@Slf4j
final class BrokenConnections extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            log.debug("connection broken remote={} cause={}", context.channel().remoteAddress(), cause.getMessage());
            context.close();
        } else {
            context.fireExceptionCaught(cause);
        }
    }
}
