package io.millrace.metadata.image;

/// What a set of dynamic configuration is about.
///
/// @param name of the topic, id of the broker, and so on, decoded; a client of one user is `user/clients/client`;
///         [#DEFAULT] stands for all that have none of their own
public record ConfigResource(ConfigType type, String name) {
    /// The name of the entity whose values hold where there is no closer one.
    public static final String DEFAULT = "<default>";

    /// The configuration of one topic.
    public static ConfigResource topic(String name) {
        return new ConfigResource(ConfigType.TOPIC, name);
    }

    /// The configuration of one broker or coordinator.
    public static ConfigResource broker(int id) {
        return new ConfigResource(ConfigType.BROKER, Integer.toString(id));
    }

    /// The configuration of all brokers.
    public static ConfigResource allBrokers() {
        return new ConfigResource(ConfigType.BROKER, DEFAULT);
    }

    /// The same in every process, unlike that of an enum, so that maps of resources have the same order in a replay.
    @Override
    public int hashCode() {
        return 31 * name.hashCode() + type.name().hashCode();
    }
}
