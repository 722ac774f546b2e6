package io.millrace.wire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.wire.frame.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.FileRegion;
import io.netty.util.ReferenceCounted;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordsSend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessagesTest {
    private static final UnpooledByteBufAllocator ALLOCATOR = UnpooledByteBufAllocator.DEFAULT;

    private final AtomicInteger released = new AtomicInteger();

    @TempDir
    private Path directory;
    private FileChannel file;

    @BeforeEach
    void open() throws IOException {
        file = FileChannel.open(Files.write(directory.resolve("log"), new byte[100]));
    }

    @AfterEach
    void close() throws IOException {
        file.close();
    }

    @Test
    void anAnswerIsCutWhereItsSlicesCome() {
        var parts = Messages.writeAnswer(fetched(slice(10), slice(0), slice(20)), (short) 12, 5, ALLOCATOR);

        assertThat(parts).hasSize(5);
        assertThat(parts.get(1)).isInstanceOfSatisfying(FileRegion.class,
                region -> assertThat(region.count()).isEqualTo(10));
        assertThat(parts.get(3)).isInstanceOfSatisfying(FileRegion.class,
                region -> assertThat(region.count()).isEqualTo(20));
        var head = (ByteBuf) parts.getFirst();
        assertThat(head.getInt(0) + 4).isEqualTo(parts.stream().mapToLong(MessagesTest::size).sum());
        assertThat(released).hasValue(1); // the empty one needs no region
        parts.forEach(ReferenceCounted::release);
        assertThat(released).hasValue(3);
        assertThat(file.isOpen()).isTrue();
    }

    @Test
    void anAnswerThatCannotBeWrittenReleasesAllItsSlices() {
        var answer = fetched(slice(10), slice(20), slice(30));
        answer.responses().getFirst().partitions().get(1).setRecords(new Unknown());
        var last = answer.responses().getFirst().partitions().get(2);

        assertThatThrownBy(() -> Messages.writeAnswer(answer, (short) 12, 5, ALLOCATOR))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(((FileSlice) last.records()).sizeInBytes()).isEqualTo(30);
        assertThat(released).hasValue(2);
    }

    @Test
    void aSliceIsReleasedOnce() {
        var slice = slice(5);
        slice.release();
        slice.release();
        FileSlice.releaseAll(fetched(slice));

        assertThat(released).hasValue(1);
    }

    @Test
    void recordsInMemoryAreSentWithoutACopyAndReadWithoutOne() throws Exception {
        var records = ByteBuffer.allocate(50).put(0, new byte[]{1, 2, 3});
        var request = new ProduceRequestData().setAcks((short) 1);
        var topic = new ProduceRequestData.TopicProduceData().setTopicId(Uuid.ONE_UUID);
        topic.partitionData()
                .add(new ProduceRequestData.PartitionProduceData().setRecords(MemoryRecords.readableRecords(records)));
        request.topicData().add(topic);

        var parts = Messages.writeRequest(request, (short) 13, 9, "c", ALLOCATOR);

        assertThat(((ByteBuf) parts.get(1)).nioBuffer().array()).isSameAs(records.array());
        var whole = ALLOCATOR.buffer();
        parts.forEach(part -> whole.writeBytes((ByteBuf) part));
        parts.forEach(ReferenceCounted::release);
        var frame = whole.skipBytes(4).nioBuffer();
        var head = RequestHead.read(frame);
        assertThat(head).isEqualTo(
                new RequestHead(ApiKeys.PRODUCE, (short) 13, 9, "c"));
        var read = (ProduceRequestData) Messages.readRequest(head.api(), head.version(), frame);
        var bytes = ((MemoryRecords) read.topicData().iterator().next().partitionData().getFirst().records()).buffer();
        assertThat(bytes).isEqualTo(records);
        whole.setZero(0, whole.writerIndex());
        assertThat(bytes.get(0)).isZero(); // a slice of the frame
        whole.release();
    }

    private FileSlice slice(int size) {
        return new FileSlice(file, 0, size, released::incrementAndGet);
    }

    private static FetchResponseData fetched(BaseRecords... records) {
        var topic = new FetchableTopicResponse().setTopic("t");
        List.of(records)
                .forEach(part -> topic.partitions().add(new FetchResponseData.PartitionData().setRecords(part)));
        var answer = new FetchResponseData();
        answer.responses().add(topic);
        return answer;
    }

    private static long size(ReferenceCounted part) {
        return part instanceof FileRegion region ? region.count() : ((ByteBuf) part).readableBytes();
    }

    /// Records of a kind that is not sent.
    private static final class Unknown implements BaseRecords {
        @Override
        public int sizeInBytes() {
            return 3;
        }

        @Override
        public RecordsSend<? extends BaseRecords> toSend() {
            throw new UnsupportedOperationException();
        }
    }
}
