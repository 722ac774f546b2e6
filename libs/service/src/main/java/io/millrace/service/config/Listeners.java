package io.millrace.service.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import io.millrace.metadata.image.Endpoint;
import io.millrace.service.lifecycle.StartRefused;

/// Reads `listeners`, `advertised.listeners` and the map of their protocols. **pure**
final class Listeners {
    static final String DEFAULT_PROTOCOL_MAP = "SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,SSL:SSL,"
            + "SASL_PLAINTEXT:SASL_PLAINTEXT";

    /// `NAME://host:port`; the host may be empty, or an IPv6 address in brackets.
    private static final Pattern LISTENER = Pattern.compile(
            "([^:/]+)://(?:\\[([0-9a-fA-F:%.]*)\\]|([^\\[\\]/:]*)):(\\d+)");

    private static final int LARGEST_PORT = 65535;

    private Listeners() {}

    /// @param key names the setting in what is refused
    /// @throws StartRefused where an entry cannot be read, a name or port is there twice, or its protocol is not served
    static List<Endpoint> parse(String key, List<String> listeners, String protocolMap) {
        var protocols = protocols(protocolMap);
        var names = new HashSet<String>();
        var endpoints = new ArrayList<Endpoint>();
        for (var listener : listeners) {
            var endpoint = parse(key, listener, protocols);
            if (!names.add(endpoint.listener())) {
                throw new StartRefused("kafka." + key + ": the listener name " + endpoint.listener()
                        + " is there twice");
            }
            endpoints.add(endpoint);
        }
        return List.copyOf(endpoints);
    }

    private static Endpoint parse(String key, String listener, Map<String, String> protocols) {
        var parts = LISTENER.matcher(listener.strip());
        if (!parts.matches()) {
            throw new StartRefused("kafka." + key + ": '" + listener + "' is not of the form NAME://host:port");
        }
        var name = parts.group(1).toUpperCase(Locale.ROOT);
        var protocol = protocols.get(name);
        if (protocol == null) {
            throw new StartRefused("kafka." + key + ": the listener " + name
                    + " has no entry in kafka.listener.security.protocol.map");
        }
        if (!protocol.equals("PLAINTEXT")) {
            throw new StartRefused("kafka." + key + ": the listener " + name + " asks for " + protocol
                    + "; only PLAINTEXT is served so far");
        }
        var port = parts.group(4);
        if (port.length() > 5 || Integer.parseInt(port) > LARGEST_PORT) {
            throw new StartRefused("kafka." + key + ": " + port + " in '" + listener + "' is not a port");
        }
        var host = parts.group(2) != null ? parts.group(2) : parts.group(3);
        return new Endpoint(name, protocol, host, Integer.parseInt(port));
    }

    private static Map<String, String> protocols(String map) {
        var protocols = new HashMap<String, String>();
        for (var entry : map.split(",", -1)) {
            var pair = entry.strip().split(":", -1);
            if (pair.length != 2) {
                throw new StartRefused(
                        "kafka.listener.security.protocol.map: '" + entry + "' is not of the form NAME:PROTOCOL");
            }
            protocols.put(pair[0].strip().toUpperCase(Locale.ROOT), pair[1].strip().toUpperCase(Locale.ROOT));
        }
        return protocols;
    }
}
