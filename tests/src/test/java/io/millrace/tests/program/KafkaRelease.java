package io.millrace.tests.program;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A release of Kafka: its tools, and its Java client, each in a process of its own.
public enum KafkaRelease {
    KAFKA_2_6("2.6"), KAFKA_3_9("3.9"), KAFKA_4_4("4.4");

    private final String line;

    KafkaRelease(String line) {
        this.line = line;
    }

    /// Those that people run today: the newest, and the last one with ZooKeeper as well where time does not matter (`-Plong`).
    public static List<KafkaRelease> today() {
        return Boolean.getBoolean("millrace.long") ? List.of(KAFKA_3_9, KAFKA_4_4) : List.of(KAFKA_4_4);
    }

    /// A program of this release.
    ///
    /// @param main the class to run
    /// @param before class path entries in front of the release's own
    public Program program(String main, Path... before) {
        var options = new ArrayList<>(List.of("-Xmx256m"));
        if (before.length == 0) {
            options.addAll(keptClasses(main));
        }
        return JavaProgram.of("kafka-" + line, options, main, before);
    }

    /// The JVM keeps the classes of a program beside the class path of its release, where all of it is in jars, so that its
    /// next run starts in half the time.
    private List<String> keptClasses(String main) {
        return List.of("-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + Home.tests("kafka-" + line, "target",
                main + ".jsa"), "-Xlog:disable");
    }

    /// `kafka-topics`.
    public Program topics() {
        return program(this == KAFKA_2_6 ? "kafka.admin.TopicCommand" : "org.apache.kafka.tools.TopicCommand");
    }

    /// `kafka-console-producer`.
    public Program consoleProducer() {
        return program(this == KAFKA_4_4 ? "org.apache.kafka.tools.ConsoleProducer" : "kafka.tools.ConsoleProducer");
    }

    /// `kafka-console-consumer`.
    public Program consoleConsumer() {
        return program(this == KAFKA_2_6
                ? "kafka.tools.ConsoleConsumer"
                : "org.apache.kafka.tools.consumer.ConsoleConsumer");
    }

    /// `kafka-consumer-groups`.
    public Program consumerGroups() {
        return program(this == KAFKA_2_6
                ? "kafka.admin.ConsumerGroupCommand"
                : "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand");
    }

    /// `kafka-reassign-partitions`.
    public Program reassignPartitions() {
        return program(this == KAFKA_2_6
                ? "kafka.admin.ReassignPartitionsCommand"
                : "org.apache.kafka.tools.reassign.ReassignPartitionsCommand");
    }

    /// `kafka-leader-election`; of 2.6 `kafka-preferred-replica-election`, which came before it.
    public Program leaderElection() {
        return program(this == KAFKA_2_6
                ? "kafka.admin.PreferredReplicaLeaderElectionCommand"
                : "org.apache.kafka.tools.LeaderElectionCommand");
    }

    /// `kafka-producer-perf-test`.
    public Program producerPerformance() {
        return program("org.apache.kafka.tools.ProducerPerformance");
    }

    /// `kafka-consumer-perf-test`.
    public Program consumerPerformance() {
        return program(this == KAFKA_2_6
                ? "kafka.tools.ConsumerPerformance"
                : "org.apache.kafka.tools.ConsumerPerformance");
    }

    /// `zookeeper-shell`, of the releases that have it.
    public Program zooKeeperShell() {
        return program("org.apache.zookeeper.ZooKeeperMainWithTlsSupportForKafka");
    }

    /// `kafka-dump-log`.
    public Program dumpLog() {
        return program(this == KAFKA_4_4 ? "org.apache.kafka.tools.DumpLogSegments" : "kafka.tools.DumpLogSegments");
    }

    /// `kafka-configs`.
    public Program configs() {
        return program(this == KAFKA_4_4 ? "org.apache.kafka.tools.ConfigCommand" : "kafka.admin.ConfigCommand");
    }

    /// `kafka-delete-records`.
    public Program deleteRecords() {
        return program(this == KAFKA_2_6
                ? "kafka.admin.DeleteRecordsCommand"
                : "org.apache.kafka.tools.DeleteRecordsCommand");
    }

    /// `kafka-get-offsets`; of 2.6 the class that `kafka-run-class` was given.
    public Program getOffsets() {
        return program(this == KAFKA_2_6 ? "kafka.tools.GetOffsetShell" : "org.apache.kafka.tools.GetOffsetShell");
    }

    /// `kafka-log-dirs`.
    public Program logDirs() {
        return program(this == KAFKA_2_6 ? "kafka.admin.LogDirsCommand" : "org.apache.kafka.tools.LogDirsCommand");
    }

    /// `kafka-features`, from 3.9 on.
    public Program features() {
        return program("org.apache.kafka.tools.FeatureCommand");
    }

    /// `kafka-cluster`, from 3.9 on.
    public Program cluster() {
        return program("org.apache.kafka.tools.ClusterTool");
    }

    /// `kafka-broker-api-versions`.
    public Program brokerApiVersions() {
        return program(this == KAFKA_4_4
                ? "org.apache.kafka.tools.BrokerApiVersionsCommand"
                : "kafka.admin.BrokerApiVersionsCommand");
    }
}
