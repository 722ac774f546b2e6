package io.millrace.tests.frameworks;

import java.util.Arrays;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;

import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.Stores;

/// A program on Kafka Streams that counts words, by way of a repartition and a changelog topic. Each word of the input gives
/// one record of the output: the word, and how often it has come. It is compiled against the newest release and runs with any
/// since 3.9, so it uses what they share and nothing else of this module.
///
///     BOOTSTRAP ID INPUT OUTPUT STATE        until it is killed; STATE is a directory
final class WordCount {
    private WordCount() {}

    public static void main(String[] args) throws InterruptedException {
        var settings = new Properties();
        settings.put("bootstrap.servers", args[0]);
        settings.put("application.id", args[1]);
        settings.put("state.dir", args[4]);
        settings.put("processing.guarantee", "exactly_once_v2");
        settings.put("commit.interval.ms", 100);
        settings.put("statestore.cache.max.bytes", 0);
        settings.put("num.stream.threads", 2);
        // Whoever was killed comes back as itself, and what it left open is over soon.
        settings.put("main.consumer.group.instance.id", args[1]);
        settings.put("main.consumer.session.timeout.ms", 30_000);
        settings.put("consumer.auto.offset.reset", "earliest");
        settings.put("producer.transaction.timeout.ms", 3_000);
        var streams = new KafkaStreams(topology(args[2], args[3]).build(), settings);
        streams.setUncaughtExceptionHandler(failure -> {
            System.out.println("a thread is replaced: " + failure);
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        });
        streams.start();
        new CountDownLatch(1).await();
    }

    private static StreamsBuilder topology(String input, String output) {
        var builder = new StreamsBuilder();
        builder.stream(input, Consumed.with(Serdes.String(), Serdes.String()))
                .flatMapValues(line -> Arrays.asList(line.toLowerCase(Locale.ROOT).split(" ", -1)))
                .groupBy((_, word) -> word, Grouped.with(Serdes.String(), Serdes.String()))
                .count(Materialized.<String, Long>as(Stores.inMemoryKeyValueStore("counts"))
                        .withKeySerde(Serdes.String())
                        .withValueSerde(Serdes.Long()))
                .toStream()
                .mapValues(String::valueOf)
                .to(output, Produced.with(Serdes.String(), Serdes.String()));
        return builder;
    }
}
