package io.millrace.service.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Type.BOOLEAN;
import static org.apache.kafka.common.config.ConfigDef.Type.CLASS;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LIST;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import org.apache.kafka.common.config.ConfigDef;

/// Quotas, metrics and telemetry, tiered storage.
final class OperationKeys {
    private OperationKeys() {}

    static void define(ConfigDef to) {
        quotas(to);
        metrics(to);
        tiered(to);
    }

    private static void quotas(ConfigDef to) {
        to.define("quota.window.num", INT, 11, atLeast(1), LOW, "Samples of a client quota.")
                .define("quota.window.size.seconds", INT, 1, atLeast(1), LOW, "Length of each.")
                .define("replication.quota.window.num", INT, 11, atLeast(1), LOW, "Samples of a replication quota.")
                .define("replication.quota.window.size.seconds", INT, 1, atLeast(1), LOW, "Length of each.")
                .define("alter.log.dirs.replication.quota.window.num", INT, 11, atLeast(1), LOW, "Samples, of moves.")
                .define("alter.log.dirs.replication.quota.window.size.seconds", INT, 1, atLeast(1), LOW, "Length.")
                .define("controller.quota.window.num", INT, 11, atLeast(1), LOW, "Samples of a mutation quota.")
                .define("controller.quota.window.size.seconds", INT, 1, atLeast(1), LOW, "Length of each.")
                .define("client.quota.callback.class", CLASS, null, LOW, "Class that decides quotas.");
    }

    private static void metrics(ConfigDef to) {
        to.define("metric.reporters", LIST, "", LOW, "Read by nothing: Prometheus scrapes.")
                .define("metrics.num.samples", INT, 2, atLeast(1), LOW, "Read by nothing.")
                .define("metrics.sample.window.ms", LONG, 30000L, atLeast(1), LOW, "Read by nothing.")
                .define("metrics.recording.level", STRING, "INFO", LOW, "Read by nothing.")
                .define("auto.include.jmx.reporter", BOOLEAN, true, LOW, "Read by nothing.")
                .define("kafka.metrics.reporters", LIST, "", LOW, "Read by nothing.")
                .define("kafka.metrics.polling.interval.secs", INT, 10, atLeast(1), LOW, "Read by nothing.")
                .define("telemetry.max.bytes", INT, 1048576, atLeast(1), LOW, "Largest push of a client's metrics.");
    }

    private static void tiered(ConfigDef to) {
        to.define("remote.log.storage.system.enable", BOOLEAN, false, MEDIUM, "Read by nothing: not tiered.")
                .define("remote.log.storage.manager.class.name", STRING, null, MEDIUM, "Read by nothing.")
                .define("remote.log.metadata.manager.class.name", STRING,
                        "org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager",
                        MEDIUM, "Read by nothing.")
                .define("remote.log.manager.task.interval.ms", LONG, 30000L, atLeast(1), LOW, "Read by nothing.")
                .define("remote.log.manager.copy.max.bytes.per.second", LONG, Long.MAX_VALUE, atLeast(1), MEDIUM,
                        "Read by nothing.")
                .define("remote.log.manager.fetch.max.bytes.per.second", LONG, Long.MAX_VALUE, atLeast(1), MEDIUM,
                        "Read by nothing.")
                .define("log.local.retention.ms", LONG, -2L, atLeast(-2), MEDIUM, "Read by nothing.")
                .define("log.local.retention.bytes", LONG, -2L, atLeast(-2), MEDIUM, "Read by nothing.")
                .define("log.remote.copy.lag.ms", LONG, 0L, atLeast(-1), MEDIUM, "Read by nothing.")
                .define("log.remote.copy.lag.bytes", LONG, -1L, atLeast(-1), MEDIUM, "Read by nothing.");
    }
}
