package io.millrace.tests.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.loop.Loop;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.ApiRegistry;
import io.millrace.wire.api.ClientSoftware;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.codec.FileSlice;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/// Where requests come into a node: what sockets and frames do to messages. A request that arrives twice is two requests;
/// records in an answer are copies of what the file held when it was sent.
final class BrokerDoor {
    private final ApiRegistry apis;
    private final RequestContext.Connection connection;
    private final Flaw flaw;
    private int correlation;

    BrokerDoor(ApiRegistry apis, Loop loop, Flaw flaw) {
        this.apis = apis;
        this.flaw = flaw;
        connection = new RequestContext.Connection("simulated", "PLAINTEXT", new InetSocketAddress(InetAddress
                .getLoopbackAddress(), 1), KafkaPrincipal.ANONYMOUS, ClientSoftware.UNKNOWN, loop);
    }

    CompletableFuture<ApiMessage> handle(ApiMessage request) {
        var api = ApiKeys.forId(request.apiKey());
        var context = new RequestContext(api, api.latestVersion(false), ++correlation, "simulated", connection);
        var answer = answer(apis.handler(api), flawed(copy(request)), context);
        return flaw == Flaw.APPENDS_TWICE && request instanceof ProduceRequestData produce
                && produce.transactionalId() != null
                        ? answer.thenCompose(first -> answer(apis.handler(api), again(produce), context).handle((_,
                                _) -> first))
                        : answer;
    }

    @SuppressWarnings("unchecked") // the registry's handler of an API takes its request
    private static CompletableFuture<ApiMessage> answer(ApiHandler<?, ?> handler, ApiMessage request,
            RequestContext context) {
        return ((ApiHandler<ApiMessage, ApiMessage>) handler).handle(request, context).thenApply(BrokerDoor::sent);
    }

    private ApiMessage flawed(ApiMessage request) {
        if (flaw == Flaw.PROMISES_EARLY && request instanceof ProduceRequestData produce) {
            produce.setAcks((short) 1);
        }
        if (flaw == Flaw.DIVERGES_UNSEEN && request instanceof FetchRequestData fetch) {
            fetch.topics().forEach(topic -> topic.partitions().forEach(partition -> partition.setLastFetchedEpoch(-1)));
        }
        if (flaw == Flaw.SHOWS_WHAT_IS_OPEN && request instanceof FetchRequestData fetch) {
            fetch.setIsolationLevel((byte) 0);
        }
        return request;
    }

    private static ApiMessage again(ProduceRequestData request) {
        var copy = (ProduceRequestData) copy(request);
        copy.topicData().forEach(topic -> topic.partitionData().forEach(partition -> {
            if (partition.records() instanceof MemoryRecords records) {
                partition.setRecords(Batches.followedByItself(records));
            }
        }));
        return copy;
    }

    private static ApiMessage copy(ApiMessage request) {
        var copy = (ApiMessage) request.duplicate();
        copy.unknownTaggedFields().addAll(request.unknownTaggedFields());
        if (copy instanceof ProduceRequestData produce) {
            produce.topicData().forEach(topic -> topic.partitionData().forEach(partition -> {
                if (partition.records() instanceof MemoryRecords records) {
                    partition.setRecords(MemoryRecords.readableRecords(copy(records.buffer())));
                }
            }));
        }
        return copy;
    }

    private static ByteBuffer copy(ByteBuffer buffer) {
        return ByteBuffer.allocate(buffer.remaining()).put(buffer.duplicate()).flip();
    }

    private static ApiMessage sent(ApiMessage answer) {
        if (answer instanceof FetchResponseData fetched) {
            fetched.responses().forEach(topic -> topic.partitions().forEach(partition -> {
                if (partition.records() instanceof FileSlice slice) {
                    partition.setRecords(read(slice));
                }
            }));
        }
        return answer;
    }

    private static MemoryRecords read(FileSlice slice) {
        try {
            var bytes = ByteBuffer.allocate(slice.sizeInBytes());
            slice.channel().read(bytes, slice.position());
            return MemoryRecords.readableRecords(bytes.flip());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            slice.release();
        }
    }
}
