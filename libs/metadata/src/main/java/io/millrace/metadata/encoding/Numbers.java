package io.millrace.metadata.encoding;

import java.util.List;

import io.millrace.metadata.image.ConfigType;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardKind;

/// Which value has which number, from 1 on, whatever the order in the code is.
public final class Numbers {
    static final List<ShardKind> SHARD_KINDS = List.of(ShardKind.GROUP, ShardKind.TRANSACTION);
    public static final List<Role> ROLES = List.of(Role.CONTROLLER, Role.BROKER, Role.COORDINATOR, Role.ADMIN);
    static final List<NodeState> STATES = List.of(NodeState.ACTIVE, NodeState.FENCED, NodeState.SHUTTING_DOWN);
    static final List<ConfigType> CONFIG_TYPES = List.of(ConfigType.TOPIC, ConfigType.BROKER, ConfigType.CLIENT,
            ConfigType.USER, ConfigType.IP, ConfigType.CLIENT_METRICS, ConfigType.GROUP);

    private Numbers() {}
}
