package io.millrace.metadata.image;

/// What dynamic configuration can be about.
public enum ConfigType {
    TOPIC, BROKER, CLIENT, USER, IP, CLIENT_METRICS, GROUP
}
