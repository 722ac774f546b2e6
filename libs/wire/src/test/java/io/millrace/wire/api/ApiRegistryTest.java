package io.millrace.wire.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.junit.jupiter.api.Test;

class ApiRegistryTest {

    private record Nothing(ApiKeys api) implements ApiHandler<ApiMessage, ApiMessage> {
        @Override
        public CompletableFuture<ApiMessage> handle(ApiMessage request, RequestContext context) {
            return new CompletableFuture<>();
        }
    }

    @Test
    void everyApiOfTheTableHasAHandlerAndTheNodesOwnAreKnown() {
        var fetch = new Nothing(ApiKeys.FETCH);
        var registry = ApiRegistry.of(VersionTable.MILLRACE, List.of(fetch));

        assertThat(VersionTable.MILLRACE.apis()).allSatisfy(api -> assertThat(registry.handler(api).api()).isEqualTo(
                api));
        assertThat(registry.handler(ApiKeys.FETCH)).isSameAs(fetch);
        assertThat(registry.served()).containsExactlyInAnyOrder(ApiKeys.FETCH, ApiKeys.API_VERSIONS);
    }

    @Test
    void anApiIsServedOnceAndOnlyWhereItIsOffered() {
        var twice = List.of(new Nothing(ApiKeys.FETCH), new Nothing(ApiKeys.FETCH));
        assertThatThrownBy(() -> ApiRegistry.of(VersionTable.MILLRACE, twice))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("FETCH");
        var notOffered = List.of(new Nothing(ApiKeys.VOTE));
        assertThatThrownBy(() -> ApiRegistry.of(VersionTable.MILLRACE, notOffered))
                .isInstanceOf(IllegalArgumentException.class);
        var registry = ApiRegistry.of(VersionTable.MILLRACE, List.of());
        assertThatThrownBy(() -> registry.handler(ApiKeys.VOTE)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void onlyStableVersionsAreOfferedAndProduceIsListedFromZero() {
        var table = VersionTable.MILLRACE;

        assertThat(table.range(ApiKeys.INIT_PRODUCER_ID).max()).isEqualTo((short) 5);
        assertThat(table.range(ApiKeys.PRODUCE)).isEqualTo(new VersionTable.Range((short) 0, (short) 3, (short) 13));
        assertThat(table.answers(ApiKeys.PRODUCE, (short) 2)).isFalse();
        assertThat(table.answers(ApiKeys.PRODUCE, (short) 3)).isTrue();
        assertThat(table.answers(ApiKeys.METADATA, (short) -1)).isFalse();
        assertThat(table.answers(ApiKeys.VOTE, (short) 0)).isFalse();
        assertThat(table.apis()).contains(ApiKeys.FETCH).doesNotContain(ApiKeys.VOTE, ApiKeys.LEADER_AND_ISR);
    }

    @Test
    void theEpochOfAShardTravelsInAProduceRequest() {
        var request = new ProduceRequestData().setAcks((short) -1);
        assertThat(ShardEpoch.of(request)).isEmpty();
        new ShardEpoch(3, 1).mark(request);
        new ShardEpoch(7, 1L << 40).mark(request);

        var bytes = MessageUtil.toByteBufferAccessor(request, (short) 11).buffer();
        var read = new ProduceRequestData(new ByteBufferAccessor(bytes), (short) 11);

        assertThat(ShardEpoch.of(read)).hasValue(new ShardEpoch(7, 1L << 40));
        assertThat(read.unknownTaggedFields()).hasSize(1);
    }
}
