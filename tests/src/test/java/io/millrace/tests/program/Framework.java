package io.millrace.tests.program;

import java.util.List;
import java.util.stream.Stream;

/// What others built on Kafka's clients, in a process of its own.
public final class Framework {

    /// Flink's serializer reaches into the JDK's own classes, as its scripts allow it to.
    private static final List<String> FLINK_OPENS = Stream.of("java.lang", "java.net", "java.io", "java.nio",
            "java.text",
            "java.time", "java.util", "java.util.concurrent", "java.util.concurrent.atomic",
            "java.util.concurrent.locks").map(it -> "--add-opens=java.base/" + it + "=ALL-UNNAMED").toList();

    private Framework() {}

    /// A worker of Kafka Connect, as `connect-distributed` starts it; the argument is its file of settings.
    public static Program connectWorker() {
        return JavaProgram.of("connect", List.of("-Xmx256m"), "org.apache.kafka.connect.cli.ConnectDistributed");
    }

    /// The job for Flink, on a small Flink in its own process; its arguments are told there.
    public static Program flinkJob() {
        var options = Stream.concat(Stream.of("-Xmx512m"), FLINK_OPENS.stream()).toList();
        return JavaProgram.of("flink", options, "io.millrace.tests.flink.CopyJob", Home.tests("flink", "target",
                "classes"));
    }
}
