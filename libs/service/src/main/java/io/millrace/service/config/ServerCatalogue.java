package io.millrace.service.config;

import java.util.Set;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;

/// Every broker-level key that is known, with Kafka's type, default and limits. Where a key exists only in Kafka's
/// ZooKeeper mode its default is that of 3.9, elsewhere that of 4.4.
final class ServerCatalogue {
    /// `listener.name.<listener>.<key>` sets a security key for one listener alone.
    private static final String LISTENER_PREFIX = "listener.name.";

    private static final ConfigDef DEFINITION = define();

    private ServerCatalogue() {}

    static ConfigDef definition() {
        return DEFINITION;
    }

    static boolean isKnown(String name) {
        return DEFINITION.configKeys().containsKey(name) || isOfOneListener(name);
    }

    private static boolean isOfOneListener(String name) {
        if (!name.startsWith(LISTENER_PREFIX)) {
            return false;
        }
        var listenerAndKey = name.substring(LISTENER_PREFIX.length());
        int dot = listenerAndKey.indexOf('.');
        // The key may have a SASL mechanism before it: `listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config`.
        return dot > 0 && DEFINITION.names().stream().anyMatch(key -> listenerAndKey.endsWith("." + key));
    }

    private static ConfigDef define() {
        var definition = new ConfigDef();
        NodeKeys.define(definition);
        LogKeys.define(definition);
        ReplicationKeys.define(definition);
        GroupKeys.define(definition);
        TransactionKeys.define(definition);
        OperationKeys.define(definition);
        SecurityKeys.define(definition);
        addKafkasOwn(definition);
        return definition;
    }

    /// Kafka's client library carries the broker's TLS and SASL keys already.
    private static void addKafkasOwn(ConfigDef definition) {
        var known = Set.copyOf(definition.names());
        BrokerSecurityConfigs.CONFIG_DEF.configKeys().values().stream()
                .filter(key -> !known.contains(key.name))
                .forEach(definition::define);
    }
}
