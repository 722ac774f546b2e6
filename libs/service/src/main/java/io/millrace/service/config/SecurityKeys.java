package io.millrace.service.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LIST;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.PASSWORD;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import org.apache.kafka.common.config.ConfigDef;

/// Security keys that Kafka's client library does not define.
final class SecurityKeys {
    private SecurityKeys() {}

    static void define(ConfigDef to) {
        to.define("authorizer.class.name", STRING, "", LOW,
                "Class that allows and denies. There is none so far: a value stops the start.")
                .define("super.users", STRING, "", MEDIUM, "Principals that may do everything.")
                .define("allow.everyone.if.no.acl.found", STRING, "false", MEDIUM, "What holds where no rule is found.")
                .define("security.providers", STRING, null, LOW, "Security providers to load.")
                .define("delegation.token.secret.key", PASSWORD, null, MEDIUM, "Key that signs tokens.")
                .define("delegation.token.max.lifetime.ms", LONG, 604800000L, atLeast(1), MEDIUM, "Life of a token.")
                .define("delegation.token.expiry.time.ms", LONG, 86400000L, atLeast(1), MEDIUM,
                        "Time between renewals.")
                .define("delegation.token.expiry.check.interval.ms", LONG, 3600000L, atLeast(1), LOW, "How often.")
                .define("password.encoder.secret", PASSWORD, null, MEDIUM, "Secret that encodes stored passwords.")
                .define("password.encoder.old.secret", PASSWORD, null, MEDIUM, "The one before it.")
                .define("password.encoder.keyfactory.algorithm", STRING, null, LOW, "Of that encoding.")
                .define("password.encoder.cipher.algorithm", STRING, "AES/CBC/PKCS5Padding", LOW, "Of that encoding.")
                .define("password.encoder.key.length", INT, 128, atLeast(8), LOW, "Of that encoding.")
                .define("password.encoder.iterations", INT, 4096, atLeast(1024), LOW, "Of that encoding.")
                .define("config.providers", LIST, "", LOW, "Read by nothing: Spring resolves placeholders.");
    }
}
