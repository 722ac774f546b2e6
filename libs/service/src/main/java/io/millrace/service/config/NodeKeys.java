package io.millrace.service.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Type.BOOLEAN;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LIST;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.PASSWORD;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import org.apache.kafka.common.config.ConfigDef;

/// Who a node is, where it listens, and how it reaches ZooKeeper.
final class NodeKeys {
    private NodeKeys() {}

    static void define(ConfigDef to) {
        identity(to);
        sockets(to);
        connections(to);
        zooKeeper(to);
    }

    private static void identity(ConfigDef to) {
        to.define("broker.id", INT, -1, HIGH, "Id of this node; -1 where none is set.")
                .define("node.id", INT, -1, HIGH, "The same as broker.id, by the name that newer releases use.")
                .define("broker.rack", STRING, null, MEDIUM, "Rack of this node, for placement and nearest reads.")
                .define("broker.id.generation.enable", BOOLEAN, true, MEDIUM, "Whether an id may be given out.")
                .define("reserved.broker.max.id", INT, 1000, atLeast(0), MEDIUM, "Ids given out begin above this.")
                .define("process.roles", LIST, "", MEDIUM, "Read by nothing: each service is one role.");
    }

    private static void sockets(ConfigDef to) {
        to.define("listeners", LIST, "PLAINTEXT://:9092", HIGH, "Addresses listened on, NAME://host:port each.")
                .define("advertised.listeners", LIST, null, HIGH, "Addresses told to clients; unset: the listeners.")
                .define("listener.security.protocol.map", STRING, Listeners.DEFAULT_PROTOCOL_MAP, LOW,
                        "Security protocol of each listener name.")
                .define("inter.broker.listener.name", STRING, null, MEDIUM, "Listener that other nodes connect to.")
                .define("security.inter.broker.protocol", STRING, "PLAINTEXT", MEDIUM,
                        "Protocol between nodes where no listener name is given for it.")
                .define("control.plane.listener.name", STRING, null, HIGH, "Read by nothing: control goes by stream.")
                .define("early.start.listeners", STRING, null, LOW, "Read by nothing.")
                .define("num.network.threads", INT, 3, atLeast(1), HIGH, "Event loops that serve connections.")
                .define("num.io.threads", INT, 8, atLeast(1), HIGH, "Threads for work that blocks on disk.")
                .define("background.threads", INT, 10, atLeast(1), HIGH, "Threads for housekeeping.")
                .define("queued.max.requests", INT, 500, atLeast(1), HIGH, "Requests in hand before reading pauses.")
                .define("queued.max.request.bytes", LONG, -1L, MEDIUM,
                        "Bytes of requests in hand; -1: a share of memory.")
                .define("socket.request.max.bytes", INT, 104857600, atLeast(1), HIGH, "Largest request.")
                .define("socket.send.buffer.bytes", INT, 102400, HIGH, "SO_SNDBUF; -1: the system's.")
                .define("socket.receive.buffer.bytes", INT, 102400, HIGH, "SO_RCVBUF; -1: the system's.")
                .define("socket.listen.backlog.size", INT, 50, atLeast(1), MEDIUM, "Connections waiting for accept.")
                .define("request.timeout.ms", INT, 30000, HIGH, "Longest wait of one node for another's answer.");
    }

    private static void connections(ConfigDef to) {
        to.define("connections.max.idle.ms", LONG, 600000L, MEDIUM, "A connection idle for longer is closed.")
                .define("max.connections", INT, Integer.MAX_VALUE, atLeast(0), MEDIUM, "Connections of a node.")
                .define("max.connections.per.ip", INT, Integer.MAX_VALUE, atLeast(0), MEDIUM, "Of one address.")
                .define("max.connections.per.ip.overrides", STRING, "", MEDIUM, "Limits of single addresses.")
                .define("max.connection.creation.rate", INT, Integer.MAX_VALUE, atLeast(0), MEDIUM,
                        "New ones a second.")
                .define("connection.failed.authentication.delay.ms", INT, 100, atLeast(0), LOW,
                        "How long the refusal of a login is held back.")
                .define("socket.connection.setup.timeout.ms", LONG, 10000L, MEDIUM, "First wait for a connection.")
                .define("socket.connection.setup.timeout.max.ms", LONG, 30000L, MEDIUM, "Longest such wait.");
    }

    private static void zooKeeper(ConfigDef to) {
        to.define("zookeeper.connect", STRING, null, HIGH, "host:port,host:port/chroot of the ensemble.")
                .define("zookeeper.session.timeout.ms", INT, 18000, atLeast(1), HIGH, "Session timeout asked for.")
                .define("zookeeper.connection.timeout.ms", INT, null, HIGH,
                        "Wait for a connection; unset: the session's.")
                .define("zookeeper.max.in.flight.requests", INT, 10, atLeast(1), HIGH, "Unanswered requests at a time.")
                .define("zookeeper.set.acl", BOOLEAN, false, HIGH, "Whether znodes get restrictive ACLs.")
                .define("zookeeper.ssl.client.enable", BOOLEAN, false, MEDIUM, "TLS to ZooKeeper.")
                .define("zookeeper.clientCnxnSocket", STRING, null, MEDIUM, "Socket class of the ZooKeeper client.")
                .define("zookeeper.ssl.keystore.location", STRING, null, MEDIUM, "Key store for ZooKeeper.")
                .define("zookeeper.ssl.keystore.password", PASSWORD, null, MEDIUM, "Its password.")
                .define("zookeeper.ssl.keystore.type", STRING, null, MEDIUM, "Its type.")
                .define("zookeeper.ssl.truststore.location", STRING, null, MEDIUM, "Trust store for ZooKeeper.")
                .define("zookeeper.ssl.truststore.password", PASSWORD, null, MEDIUM, "Its password.")
                .define("zookeeper.ssl.truststore.type", STRING, null, MEDIUM, "Its type.")
                .define("zookeeper.ssl.protocol", STRING, "TLSv1.2", LOW, "TLS protocol to ZooKeeper.")
                .define("zookeeper.ssl.enabled.protocols", LIST, null, LOW, "TLS protocols accepted.")
                .define("zookeeper.ssl.cipher.suites", LIST, null, LOW, "Cipher suites accepted.")
                .define("zookeeper.ssl.endpoint.identification.algorithm", STRING, "HTTPS", LOW, "Host name check.")
                .define("zookeeper.ssl.crl.enable", BOOLEAN, false, LOW, "Revocation lists.")
                .define("zookeeper.ssl.ocsp.enable", BOOLEAN, false, LOW, "OCSP.")
                .define("zookeeper.metadata.migration.enable", BOOLEAN, false, HIGH, "Read by nothing.");
    }
}
