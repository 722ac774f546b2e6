package io.millrace.service.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

import io.millrace.service.lifecycle.StartRefused;
import org.springframework.core.env.Environment;

/// The number of this process among its kind, where that is the end of its host's name, as in a StatefulSet: `broker-2`.
final class HostOrdinal {
    private static final Pattern ORDINAL = Pattern.compile("(?:.*\\D)?(\\d{1,6})");

    private HostOrdinal() {}

    /// @param host its name, with or without a domain
    /// @throws StartRefused where the name ends in no number
    static int of(String host) {
        var name = host.contains(".") ? host.substring(0, host.indexOf('.')) : host;
        var found = ORDINAL.matcher(name);
        if (!found.matches()) {
            throw new StartRefused("millrace.node.first-id: the host's name, " + host
                    + ", does not end in a number to count from there");
        }
        return Integer.parseInt(found.group(1));
    }

    /// `HOSTNAME`, as containers have it, else what the system says.
    static String host(Environment environment) {
        var told = environment.getProperty("HOSTNAME");
        if (told != null && !told.isBlank()) {
            return told.strip();
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unknown) {
            throw new StartRefused("millrace.node.first-id: this host has no name: " + unknown.getMessage());
        }
    }
}
