package io.millrace.standalone.plan;

/// Which port is whose, counted from one base.
///
/// | offset | whose |
/// |---|---|
/// | 0-19 | brokers, Kafka protocol |
/// | 20-39 | coordinators, Kafka protocol |
/// | 40-49 | controllers, metadata stream |
/// | 50 | ZooKeeper |
/// | 51 | admin API and Swagger UI |
/// | 60-79 | brokers, HTTP (health, metrics) |
/// | 80-99 | coordinators, HTTP |
/// | 100-109 | controllers, HTTP |
///
/// @param base the port of the first broker
public record Ports(int base) {

    /// The base where none is given: the first broker listens where Kafka clients look first.
    public static final int DEFAULT_BASE = 9092;
    /// Ports in the plan, from the base on.
    public static final int SPAN = 110;
    static final int MAX_BROKERS = 20;
    static final int MAX_COORDINATORS = 20;
    static final int MAX_CONTROLLERS = 10;

    public Ports {
        if (base < 1024 || base + SPAN > 65_536) {
            throw new IllegalArgumentException("--port-base must be from 1024 to " + (65_536 - SPAN) + ": " + base);
        }
    }

    Instance instance(Role role, int index) {
        int id = role.firstId() + index;
        return switch (role) {
            case ZOOKEEPER -> new Instance(role, id, base + 50, null);
            case CONTROLLER -> new Instance(role, id, base + 40 + index, base + 100 + index);
            case BROKER -> new Instance(role, id, base + index, base + 60 + index);
            case COORDINATOR -> new Instance(role, id, base + 20 + index, base + 80 + index);
            case ADMIN -> new Instance(role, id, null, base + 51);
        };
    }
}
