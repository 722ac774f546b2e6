package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.cluster.UsesClusters;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(value = Mode.class, names = "CLUSTER")
@UsesClusters
class ClientProgramsIT {

    private final String bootstrap;
    private final String mode;

    ClientProgramsIT(Mode mode, Clusters clusters) {
        this.bootstrap = clusters.of(mode).bootstrap();
        this.mode = mode.name().toLowerCase(Locale.ROOT);
    }

    @ParameterizedTest
    @EnumSource(ExternalClient.class)
    void createsATopicAndReadsWhatItWroteInEveryCodecItHas(ExternalClient client) {
        String topic = topic("round-trip", client);
        client.create(bootstrap, topic, 3);

        var sent = new ArrayList<Message>();
        for (String codec : client.codecs()) {
            client.produce(bootstrap, topic, codec, Message.ofEveryShape());
            sent.addAll(Message.ofEveryShape());
        }

        assertThat(byName(client.consume(bootstrap, topic, topic + "-group", sent.size())))
                .containsExactlyInAnyOrderElementsOf(byName(sent));
        assertThat(byName(new Kafka(bootstrap).readAll(topic))).containsExactlyInAnyOrderElementsOf(byName(sent));
    }

    @ParameterizedTest
    @EnumSource(ExternalClient.class)
    void readsWhatTheNewestClientWrote(ExternalClient client) {
        String topic = topic("from-newest", client);
        var kafka = new Kafka(bootstrap);
        kafka.create(topic, 1);
        var sent = new ArrayList<Message>();
        for (String codec : client.codecs()) {
            kafka.produce(topic, Map.of("compression.type", codec), Message.ofEveryShape());
            sent.addAll(Message.ofEveryShape());
        }

        assertThat(byName(client.consume(bootstrap, topic, topic + "-group", sent.size())))
                .containsExactlyElementsOf(byName(sent));
    }

    @ParameterizedTest
    @EnumSource(ExternalClient.class)
    void goesOnAtTheCommittedOffset(ExternalClient client) {
        String topic = topic("committed", client);
        var kafka = new Kafka(bootstrap);
        kafka.create(topic, 1);
        List<Message> first = numbered(0, 10);
        kafka.produce(topic, Map.of(), first);
        assertThat(client.consume(bootstrap, topic, topic + "-group", 10)).isEqualTo(first);

        List<Message> second = numbered(10, 20);
        kafka.produce(topic, Map.of(), second);

        assertThat(client.consume(bootstrap, topic, topic + "-group", 10)).isEqualTo(second);
    }

    private static List<Message> numbered(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> Message.of("k" + i, "v" + i)).toList();
    }

    private String topic(String what, ExternalClient client) {
        return what + "-" + client.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-" + mode;
    }

    /// KafkaJS keeps headers in a map, so that their order over different names is lost.
    private static List<Message> byName(List<Message> messages) {
        return messages.stream().map(it -> new Message(it.key(), it.value(),
                it.headers().stream().sorted(Comparator.comparing(Message.Header::name)).toList())).toList();
    }
}
