package io.millrace.metadata.controller;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/// Where the active controller serves the metadata stream and the commands.
///
/// @param id of the controller
/// @param host of its HTTP/2 port
/// @param port of its HTTP/2 port
public record ControllerAddress(int id, String host, int port) {
    /// The header with which a standby names the active controller, as [#toString] writes it.
    public static final String HEADER = "millrace-active-controller";

    /// What [#toString] wrote; empty where it is missing or nothing of the kind.
    public static Optional<ControllerAddress> parse(@Nullable String text) {
        int host = text == null ? -1 : text.indexOf('@');
        int port = text == null ? -1 : text.lastIndexOf(':');
        if (text == null || host <= 0 || port <= host + 1) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ControllerAddress(Integer.parseInt(text.substring(0, host)),
                    text.substring(host + 1, port), Integer.parseInt(text.substring(port + 1))));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// `id@host:port`
    @Override
    public String toString() {
        return id + "@" + host + ":" + port;
    }
}
