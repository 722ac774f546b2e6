package io.millrace.metadata.znode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.millrace.metadata.image.Endpoint;
import tools.jackson.databind.node.ObjectNode;

/// Endpoints as registrations hold them: `"endpoints":["EXT://h:9094"]` beside a map from listeners to protocols.
final class Listeners {
    private static final String PROTOCOLS = "listener_security_protocol_map";

    private Listeners() {}

    static List<Endpoint> read(Fields fields) {
        var protocols = fields.textMapOf(PROTOCOLS);
        var endpoints = new ArrayList<Endpoint>();
        for (var text : fields.textsOf("endpoints")) {
            endpoints.add(parse(text, protocols));
        }
        return endpoints;
    }

    static void write(ObjectNode object, List<Endpoint> endpoints) {
        var texts = object.putArray("endpoints");
        endpoints.forEach(endpoint -> texts
                .add(endpoint.listener() + "://" + bracketed(endpoint.host()) + ":" + endpoint.port()));
        var protocols = object.putObject(PROTOCOLS);
        endpoints.forEach(endpoint -> protocols.put(endpoint.listener(), endpoint.securityProtocol()));
    }

    private static Endpoint parse(String text, Map<String, String> protocols) {
        int host = text.indexOf("://");
        int port = text.lastIndexOf(':');
        if (host <= 0 || port <= host + 2) {
            throw new MalformedZnode("endpoint " + text);
        }
        var listener = text.substring(0, host);
        try {
            return new Endpoint(listener, protocols.getOrDefault(listener, listener),
                    unbracketed(text.substring(host + 3, port)), Integer.parseInt(text.substring(port + 1)));
        } catch (NumberFormatException _) {
            throw new MalformedZnode("endpoint " + text);
        }
    }

    /// An IPv6 address stands in brackets there.
    private static String bracketed(String host) {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }
}
