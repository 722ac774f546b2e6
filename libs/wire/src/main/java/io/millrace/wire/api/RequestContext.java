package io.millrace.wire.api;

import java.net.InetSocketAddress;

import io.millrace.base.loop.Loop;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/// What is known of a request besides its body.
///
/// @param clientId empty where the client named none
/// @param connection over which it came
public record RequestContext(ApiKeys api, short version, int correlationId, String clientId, Connection connection) {

    /// What is known of a connection; the same object for each of its requests, until the client tells its software.
    ///
    /// @param id unique in this process, for logs: `listener-local-remote-number`
    /// @param listener name of the listener, as in `advertised.listeners`
    /// @param client the other end
    /// @param principal `User:ANONYMOUS` where the listener asks for no proof
    /// @param loop the connection's event loop: where handlers are called; its timers serve waits
    public record Connection(String id, String listener, InetSocketAddress client, KafkaPrincipal principal,
            ClientSoftware software, Loop loop) {

        /// The same connection, whose client has now said what it is.
        public Connection with(ClientSoftware told) {
            return new Connection(id, listener, client, principal, told, loop);
        }
    }

    public String listener() {
        return connection.listener();
    }

    public InetSocketAddress client() {
        return connection.client();
    }

    public KafkaPrincipal principal() {
        return connection.principal();
    }

    public ClientSoftware software() {
        return connection.software();
    }

    public Loop loop() {
        return connection.loop();
    }

    public String connectionId() {
        return connection.id();
    }
}
