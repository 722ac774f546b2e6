package io.millrace.broker.replication;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

import io.millrace.base.loop.Loop;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.wire.codec.FileSlice;
import io.millrace.wire.codec.Messages;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.FileRegion;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/// Carries fetches between brokers on virtual time: late, in order on each connection, and not at all between those that are
/// cut off from each other.
final class Network {
    static final short VERSION = 17;

    private final SimulatedLoop loop;
    private final Random random;
    private final IntFunction<@Nullable FetchServer> servers;
    private final Set<Integer> cut = new HashSet<>();
    private final List<Connection> open = new ArrayList<>();
    /// One answer in so many is lost, and its connection with it; 0 for none.
    private int lossOneIn;

    /// Answers fetches.
    interface FetchServer {
        CompletableFuture<FetchResponseData> fetch(FetchRequestData request);
    }

    /// @param servers what answers at a broker; null where it does not run
    Network(SimulatedLoop loop, Random random, IntFunction<@Nullable FetchServer> servers) {
        this.loop = loop;
        this.random = random;
        this.servers = servers;
    }

    void lose(int oneIn) {
        lossOneIn = oneIn;
    }

    /// Nothing goes to `broker` or comes from it.
    void cut(int broker) {
        cut.add(broker);
        broken(broker);
    }

    void heal(int broker) {
        cut.remove(broker);
    }

    /// All connections from and to `broker` break.
    void broken(int broker) {
        for (var connection : List.copyOf(open)) {
            if (connection.from == broker || connection.to == broker) {
                connection.reset();
            }
        }
    }

    /// @param process of `from`
    LeaderChannel connect(int from, Loop process, int to) {
        var connection = new Connection(from, process, to);
        open.add(connection);
        return connection;
    }

    private Duration millis(int most) {
        return Duration.ofMillis(random.nextInt(most + 1));
    }

    private final class Connection implements LeaderChannel {
        private final int from;
        private final Loop process;
        private final int to;
        /// By number.
        private final Map<Integer, CompletableFuture<FetchResponseData>> pending = new LinkedHashMap<>();
        private int sent;
        private CompletableFuture<?> lastSent = CompletableFuture.completedFuture(null);
        private CompletableFuture<?> lastAnswered = CompletableFuture.completedFuture(null);

        Connection(int from, Loop process, int to) {
            this.from = from;
            this.process = process;
            this.to = to;
        }

        @Override
        public Loop loop() {
            return process;
        }

        @Override
        public CompletableFuture<FetchResponseData> fetch(FetchRequestData request, Duration timeout) {
            var result = new CompletableFuture<FetchResponseData>();
            int number = sent++;
            pending.put(number, result);
            var answered = new CompletableFuture<FetchResponseData>();
            lastSent = after(lastSent, millis(3));
            lastSent.thenRun(() -> serve(request, answered));
            var before = lastAnswered;
            lastAnswered = answered.thenCombine(before, (answer, _) -> answer).thenCompose(answer -> after(
                    CompletableFuture.completedFuture(answer), millis(3))).whenComplete((answer, failure) -> {
                        if (failure == null && pending.remove(number) != null) {
                            process.execute(() -> result.complete(answer));
                        }
                    });
            return result;
        }

        private void serve(FetchRequestData request, CompletableFuture<FetchResponseData> answered) {
            var server = cut.contains(from) || cut.contains(to) ? null : servers.apply(to);
            if (server == null) {
                reset();
                return;
            }
            server.fetch(request).whenComplete((answer, failure) -> {
                if (failure != null || (lossOneIn > 0 && random.nextInt(lossOneIn) == 0)) {
                    if (answer != null) {
                        FileSlice.releaseAll(answer);
                    }
                    reset();
                } else {
                    answered.complete(carried(answer));
                }
            });
        }

        private <T> CompletableFuture<T> after(CompletableFuture<T> before, Duration delay) {
            return before.thenCompose(value -> {
                var done = new CompletableFuture<T>();
                loop.schedule(delay, () -> done.complete(value));
                return done;
            });
        }

        private void reset() {
            for (var one : List.copyOf(pending.values())) {
                process.schedule(millis(5), () -> one.completeExceptionally(new IOException("connection reset")));
            }
            pending.clear();
            lastSent = CompletableFuture.completedFuture(null);
            lastAnswered = CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {
            reset();
            open.remove(this);
        }
    }

    /// The same as it comes out of a socket.
    private static FetchResponseData carried(FetchResponseData answer) {
        var bytes = new ByteArrayOutputStream();
        var wire = Channels.newChannel(bytes);
        try {
            for (var part : Messages.writeAnswer(answer, VERSION, 0, UnpooledByteBufAllocator.DEFAULT)) {
                if (part instanceof ByteBuf buffer) {
                    wire.write(buffer.nioBuffer());
                } else if (part instanceof FileRegion region) {
                    while (region.transferred() < region.count()) {
                        region.transferTo(wire, region.transferred());
                    }
                }
                part.release();
            }
            var frame = ByteBuffer.wrap(bytes.toByteArray()).position(Integer.BYTES);
            return (FetchResponseData) Messages.readAnswer(ApiKeys.FETCH, VERSION, 0, frame);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
