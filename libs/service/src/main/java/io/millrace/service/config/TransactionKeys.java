package io.millrace.service.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Type.BOOLEAN;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.SHORT;

import org.apache.kafka.common.config.ConfigDef;

/// Transactions, the topic that remembers them, and producer ids.
final class TransactionKeys {
    private TransactionKeys() {}

    static void define(ConfigDef to) {
        to.define("transaction.state.log.num.partitions", INT, 50, atLeast(1), HIGH, "Of __transaction_state.")
                .define("transaction.state.log.replication.factor", SHORT, (short) 3, atLeast(1), HIGH, "Its replicas.")
                .define("transaction.state.log.min.isr", INT, 2, atLeast(1), HIGH, "In-sync ones that it needs.")
                .define("transaction.state.log.segment.bytes", INT, 104857600, atLeast(1), HIGH, "Its segments.")
                .define("transaction.state.log.load.buffer.size", INT, 5242880, atLeast(1), HIGH, "Bytes of a fetch.")
                .define("transaction.max.timeout.ms", INT, 900000, atLeast(1), HIGH, "Longest timeout asked for.")
                .define("transactional.id.expiration.ms", INT, 604800000, atLeast(1), HIGH, "Life of an idle id.")
                .define("transaction.abort.timed.out.transaction.cleanup.interval.ms", INT, 10000, atLeast(1), LOW,
                        "How often those over their time are aborted.")
                .define("transaction.remove.expired.transaction.cleanup.interval.ms", INT, 3600000, atLeast(1), LOW,
                        "How often idle ids go.")
                .define("transaction.partition.verification.enable", BOOLEAN, true, LOW,
                        "Whether a leader asks before it takes a transaction's first record.")
                .define("transaction.two.phase.commit.enable", BOOLEAN, false, LOW, "Whether others may coordinate.")
                .define("producer.id.expiration.ms", INT, 86400000, atLeast(1), LOW, "Life of an idle producer id.")
                .define("producer.id.expiration.check.interval.ms", INT, 600000, atLeast(1), LOW, "How often it ends.");
    }
}
