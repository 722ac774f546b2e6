package io.millrace.standalone.image;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/// Asks the service of this container whether it is ready, for engines that have no probes of their own. It is a JVM of its
/// own for each question, so it touches nothing but sockets: a tenth of a second with the JDK's own archive.
public final class HealthCheck {
    private static final String DEFAULT_PORT = "8080";
    private static final String DEFAULT_PATH = "/actuator/health/readiness";
    private static final int TIMEOUT_MILLIS = 3_000;

    private HealthCheck() {}

    /// @param args the path to ask for; readiness where there is none. Ends with 0 where the answer is 200, else with 1
    public static void main(String[] args) {
        String port = System.getenv("SERVER_PORT");
        System.exit(healthy(port == null ? DEFAULT_PORT : port, args.length == 0 ? DEFAULT_PATH : args[0]) ? 0 : 1);
    }

    static boolean healthy(String port, String path) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)),
                    TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            var request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            var answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            return report(answer.readLine());
        } catch (IOException | NumberFormatException failure) {
            System.out.println("no answer at port " + port + ": " + failure.getMessage());
            return false;
        }
    }

    private static boolean report(@Nullable String status) {
        System.out.println(status);
        return status != null && status.startsWith("HTTP/1.1 200");
    }
}
