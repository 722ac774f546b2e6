package io.millrace.service.lifecycle;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

import io.millrace.base.check.Check;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/// Where this process serves HTTP (actuator, REST), once the web server has its port: before the steps of
/// [ServiceLifecycle] start.
public final class HttpAddress implements ApplicationListener<WebServerInitializedEvent> {
    private final Environment environment;
    private volatile int port = -1;

    public HttpAddress(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void onApplicationEvent(WebServerInitializedEvent event) {
        // The server of the actuator, where it has a port of its own, comes with a namespace and is not the one told.
        if (event.getApplicationContext().getServerNamespace() == null) {
            port = event.getWebServer().getPort();
        }
    }

    /// The port bound.
    ///
    /// @throws IllegalStateException before it is bound
    public int port() {
        Check.state(port >= 0, "the web server has no port yet");
        return port;
    }

    /// The host told to others: `millrace.http.advertised.host`, else `server.address`, else this machine's name.
    public String host() {
        return setting("millrace.http.advertised.host").or(() -> setting("server.address"))
                .filter(host -> !host.equals("0.0.0.0") && !host.equals("::")).orElseGet(HttpAddress::machine);
    }

    /// `http://host:port`.
    ///
    /// @throws IllegalStateException before it is bound
    public String url() {
        var host = host();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port();
    }

    private Optional<String> setting(String name) {
        return Optional.ofNullable(environment.getProperty(name)).filter(value -> !value.isBlank());
    }

    private static String machine() {
        try {
            return InetAddress.getLocalHost().getCanonicalHostName();
        } catch (UnknownHostException _) {
            return "localhost";
        }
    }
}
