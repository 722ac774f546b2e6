package io.millrace.standalone.ready;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;

/// Asks a service's actuator.
final class HealthProbe {

    private static final int OK = 200;

    private final int timeoutMillis;

    HealthProbe(Duration timeout) {
        this.timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    /// Returns if the service calls itself ready.
    void check(String who, String address) throws NotReady {
        try {
            int status = status(address + "/actuator/health/readiness");
            if (status != OK) {
                throw new NotReady(who + " is not ready: its readiness answers " + status);
            }
        } catch (IOException e) {
            throw new NotReady(who + " does not answer at " + address + ": " + e.getMessage());
        }
    }

    private int status(String address) throws IOException {
        // Not java.net.http: it would load and start far more than one request is worth.
        if (!(URI.create(address).toURL().openConnection() instanceof HttpURLConnection connection)) {
            throw new IOException("not an HTTP address: " + address);
        }
        connection.setConnectTimeout(timeoutMillis);
        connection.setReadTimeout(timeoutMillis);
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }
}
