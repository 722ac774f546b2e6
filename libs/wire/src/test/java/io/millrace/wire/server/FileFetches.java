package io.millrace.wire.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.codec.FileSlice;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.protocol.ApiKeys;

/// Answers a fetch with slices of one file of random bytes: from the offset asked, as many bytes as asked.
final class FileFetches implements ApiHandler<FetchRequestData, FetchResponseData>, AutoCloseable {
    private final byte[] content;
    private final FileChannel channel;
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();

    /// Where it is set, fetches are answered once it completes.
    CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

    FileFetches(Path directory, int size) throws IOException {
        content = new byte[size];
        new Random(7).nextBytes(content);
        var file = directory.resolve("slices");
        Files.write(file, content);
        channel = FileChannel.open(file, StandardOpenOption.READ);
    }

    static FetchRequestData request(int[]... slices) {
        var topic = new FetchRequestData.FetchTopic().setTopic("t");
        for (int i = 0; i < slices.length; i++) {
            topic.partitions()
                    .add(new FetchRequestData.FetchPartition().setPartition(i)
                            .setFetchOffset(slices[i][0])
                            .setPartitionMaxBytes(slices[i][1]));
        }
        var request = new FetchRequestData().setMaxBytes(Integer.MAX_VALUE);
        request.topics().add(topic);
        return request;
    }

    byte[] content(int position, int size) {
        return Arrays.copyOfRange(content, position, position + size);
    }

    int taken() {
        return taken.get();
    }

    int released() {
        return released.get();
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.FETCH;
    }

    @Override
    public CompletableFuture<FetchResponseData> handle(FetchRequestData request, RequestContext context) {
        var answer = new FetchResponseData();
        for (var topic : request.topics()) {
            var fetched = new FetchableTopicResponse().setTopic(topic.topic());
            for (var partition : topic.partitions()) {
                taken.incrementAndGet();
                fetched.partitions()
                        .add(new FetchResponseData.PartitionData().setPartitionIndex(partition.partition())
                                .setRecords(new FileSlice(channel, partition.fetchOffset(),
                                        partition.partitionMaxBytes(), released::incrementAndGet)));
            }
            answer.responses().add(fetched);
        }
        return gate.thenApply(_ -> answer);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
