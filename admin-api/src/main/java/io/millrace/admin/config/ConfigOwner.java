package io.millrace.admin.config;

import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;

/// What a configuration belongs to.
sealed interface ConfigOwner {

    ConfigResource.Type type();

    /// As the Kafka protocol names it.
    String name();

    /// As the controller knows it.
    io.millrace.metadata.image.ConfigResource resource();

    /// The kind of one of its settings.
    String kind();

    /// What follows the cluster in its URL.
    Object[] path();

    default @Nullable String topicName() {
        return null;
    }

    default @Nullable Integer brokerId() {
        return null;
    }

    default @Nullable String consumerGroupId() {
        return null;
    }

    /// `BROKER` where it is all brokers, as Confluent says it.
    default @Nullable String configType() {
        return null;
    }

    record Topic(String name) implements ConfigOwner {
        @Override
        public io.millrace.metadata.image.ConfigResource resource() {
            return io.millrace.metadata.image.ConfigResource.topic(name);
        }

        @Override
        public ConfigResource.Type type() {
            return ConfigResource.Type.TOPIC;
        }

        @Override
        public String kind() {
            return "KafkaTopicConfig";
        }

        @Override
        public Object[] path() {
            return new Object[]{"topics", name, "configs"};
        }

        @Override
        public String topicName() {
            return name;
        }
    }

    /// All brokers together.
    record AllBrokers() implements ConfigOwner {
        @Override
        public io.millrace.metadata.image.ConfigResource resource() {
            return io.millrace.metadata.image.ConfigResource.allBrokers();
        }

        @Override
        public ConfigResource.Type type() {
            return ConfigResource.Type.BROKER;
        }

        @Override
        public String name() {
            return "";
        }

        @Override
        public String kind() {
            return "KafkaClusterConfig";
        }

        @Override
        public Object[] path() {
            return new Object[]{"broker-configs"};
        }

        @Override
        public String configType() {
            return "BROKER";
        }
    }

    record Broker(int id) implements ConfigOwner {
        @Override
        public io.millrace.metadata.image.ConfigResource resource() {
            return io.millrace.metadata.image.ConfigResource.broker(id);
        }

        @Override
        public ConfigResource.Type type() {
            return ConfigResource.Type.BROKER;
        }

        @Override
        public String name() {
            return Integer.toString(id);
        }

        @Override
        public String kind() {
            return "KafkaBrokerConfig";
        }

        @Override
        public Object[] path() {
            return new Object[]{"brokers", id, "configs"};
        }

        @Override
        public Integer brokerId() {
            return id;
        }
    }

    /// A group, which need not have members.
    record Group(String name) implements ConfigOwner {
        @Override
        public io.millrace.metadata.image.ConfigResource resource() {
            return new io.millrace.metadata.image.ConfigResource(io.millrace.metadata.image.ConfigType.GROUP, name);
        }

        @Override
        public ConfigResource.Type type() {
            return ConfigResource.Type.GROUP;
        }

        @Override
        public String kind() {
            return "KafkaConsumerGroupConfig";
        }

        @Override
        public Object[] path() {
            return new Object[]{"consumer-groups", name, "configs"};
        }

        @Override
        public String consumerGroupId() {
            return name;
        }
    }
}
