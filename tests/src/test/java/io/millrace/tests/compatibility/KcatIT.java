package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.cluster.UsesClusters;
import io.millrace.tests.program.Program;
import io.millrace.tests.program.Required;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// librdkafka, by kcat.
@ParameterizedClass
@MethodSource("io.millrace.tests.cluster.Mode#enough")
@UsesClusters
class KcatIT {

    private final Kafka kafka;
    private final Program kcat;
    private final String mode;

    KcatIT(Mode mode, Clusters clusters) {
        String bootstrap = clusters.of(mode).bootstrap();
        this.kafka = new Kafka(bootstrap);
        this.kcat = Program.of(List.of("kcat", "-b", bootstrap));
        this.mode = mode.name().toLowerCase(Locale.ROOT);
    }

    @BeforeEach
    void installed() throws InterruptedException {
        boolean there;
        try {
            there = new ProcessBuilder("kcat", "-V").redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            there = false;
        }
        Required.check(there, "kcat (Debian: kcat)");
    }

    @Test
    void listsNodesAndTopics() {
        kafka.create("kcat-listed-" + mode, 2);

        assertThat(kcat.with("-L").run().succeeded().out()).contains("broker 0 at", "broker 1000 at",
                "topic \"kcat-listed-" + mode + "\" with 2 partitions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void readsWhatItWroteInEveryCodec(String codec) {
        String topic = "kcat-" + codec + "-" + mode;
        kafka.create(topic, 3);
        List<Message> sent = IntStream.range(0, 500).mapToObj(i -> Message.of("k" + i, "value " + i)).toList();

        kcat.with("-P", "-t", topic, "-z", codec, "-K", ":").run(
                sent.stream().map(it -> it.key() + ":" + it.value() + "\n").collect(Collectors.joining())).succeeded();

        List<String> read = kcat.with("-C", "-q", "-t", topic, "-e", "-K", ":").run().succeeded().lines();
        assertThat(read).containsExactlyInAnyOrderElementsOf(
                sent.stream().map(it -> it.key() + ":" + it.value()).toList());
        assertThat(kafka.readAll(topic)).containsExactlyInAnyOrderElementsOf(sent);
    }

    @Test
    void writesHeadersAndNullValuesAndReadsThem() {
        String topic = "kcat-shapes-" + mode;
        kafka.create(topic, 1);

        kcat.with("-P", "-t", topic, "-K", ":", "-Z", "-H", "one=1", "-H", "two=2").run("tombstone:\nkey:value\n")
                .succeeded();

        var headers = List.of(new Message.Header("one", "1"), new Message.Header("two", "2"));
        assertThat(kafka.readAll(topic)).containsExactly(new Message("tombstone", null, headers),
                new Message("key", "value", headers));
        assertThat(kcat.with("-C", "-q", "-t", topic, "-e", "-Z", "-f", "%k|%s|%h|%o\\n").run().succeeded().lines())
                .containsExactly("tombstone|NULL|one=1,two=2|0", "key|value|one=1,two=2|1");
    }

    @Test
    void readsFromATimestamp() {
        String topic = "kcat-timestamp-" + mode;
        kafka.create(topic, 1);
        kafka.produce(topic, Map.of(), List.of(Message.of(null, "before")));
        long between = kafka.records(topic).getFirst().timestamp() + 1;
        await().until(() -> System.currentTimeMillis() > between);
        kafka.produce(topic, Map.of(), List.of(Message.of(null, "after")));

        assertThat(kcat.with("-C", "-q", "-t", topic, "-e", "-o", "s@" + between).run().succeeded().lines())
                .containsExactly("after");
    }

    @Test
    void aGroupGoesOnWhereItEnded() {
        String topic = "kcat-group-" + mode;
        kafka.create(topic, 1);
        kafka.produce(topic, Map.of(), List.of(Message.of(null, "one"), Message.of(null, "two")));
        var member = kcat.with("-q", "-X", "auto.offset.reset=earliest", "-c", "2", "-G", topic + "-group", topic);
        assertThat(member.run().succeeded().lines()).containsExactly("one", "two");

        kafka.produce(topic, Map.of(), List.of(Message.of(null, "three"), Message.of(null, "four")));

        assertThat(member.run().succeeded().lines()).containsExactly("three", "four");
    }
}
