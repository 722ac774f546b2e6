package io.millrace.tests.flink;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.TransactionNamingStrategy;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A job that copies records, `KEY:TEXT` each, from a topic to another, where each comes exactly once and the texts of a key in
 * their order: its transactions begin and end with its checkpoints.
 *
 * <pre>BOOTSTRAP NAME INPUT OUTPUT STRATEGY CHECKPOINTS [CHECKPOINT]</pre>
 *
 * It runs until it is killed. STRATEGY says where the names of its transactions come from
 * ({@link TransactionNamingStrategy}), CHECKPOINTS is a directory, and CHECKPOINT one in it to go on from.
 */
public final class CopyJob {
    private CopyJob() {}

    public static void main(String[] args) throws Exception {
        var environment = StreamExecutionEnvironment.createLocalEnvironment(2, configuration(args));
        var source = KafkaSource.<String>builder()
                .setBootstrapServers(args[0])
                .setGroupId(args[1])
                .setTopics(args[2])
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setProperty("isolation.level", "read_committed")
                .setValueOnlyDeserializer(new SimpleStringSchema())
                .build();
        var sink = KafkaSink.<String>builder()
                .setBootstrapServers(args[0])
                .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
                .setTransactionalIdPrefix(args[1])
                .setTransactionNamingStrategy(TransactionNamingStrategy.valueOf(args[4]))
                .setProperty("transaction.timeout.ms", "60000")
                .setRecordSerializer(KafkaRecordSerializationSchema.<String>builder()
                        .setTopic(args[3])
                        .setKeySerializationSchema(record -> key(record).getBytes(StandardCharsets.UTF_8))
                        .setValueSerializationSchema(new SimpleStringSchema())
                        .build())
                .build();
        environment.fromSource(source, WatermarkStrategy.noWatermarks(), "source").sinkTo(sink);
        environment.execute(args[1]);
    }

    private static String key(String record) {
        return record.substring(0, record.indexOf(':'));
    }

    private static Configuration configuration(String[] args) {
        var configuration = new Configuration();
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(300));
        configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, "file://" + args[5]);
        configuration.set(CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        configuration.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 2);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(500));
        if (args.length > 6) {
            configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, "file://" + args[6]);
        }
        return configuration;
    }
}
