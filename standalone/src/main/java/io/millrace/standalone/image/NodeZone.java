package io.millrace.standalone.image;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import io.millrace.standalone.process.Failed;
import lombok.extern.slf4j.Slf4j;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Asks Kubernetes in which zone the node of this pod is, and writes it as the rack of the service that starts next. Pods
/// are not told the labels of their node; an init container of the chart asks, with leave to read nodes and nothing else.
///
/// @param api root of the Kubernetes API
/// @param account folder of the pod's service account: `token`, and `ca.crt` where the API has TLS
@Slf4j
record NodeZone(URI api, Path account) {
    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /// @param args node, label, and the file of properties to write. Ends with 1 where the API does not answer
    static void main(String[] args) {
        if (args.length != 3) {
            throw new IllegalArgumentException("usage: zone NODE LABEL FILE");
        }
        try {
            new NodeZone(URI.create("https://kubernetes.default.svc"), ACCOUNT).write(args[0], args[1], Path.of(
                    args[2]));
        } catch (Failed failure) {
            log.error("zone unknown node={} reason=\"{}\"", args[0], failure.getMessage());
            System.exit(1);
        }
    }

    /// A node without the label has no rack: the file is empty then.
    ///
    /// @throws Failed where the API does not tell, or the file cannot be written
    void write(String node, String label, Path file) {
        try {
            String zone = labels(node).getOrDefault(label, "");
            Files.writeString(file, zone.isEmpty() ? "" : "kafka.broker.rack=" + zone + "\n");
            log.info("zone found node={} label={} zone={}", node, label, zone);
        } catch (IOException | GeneralSecurityException | JacksonException failure) {
            throw new Failed(failure.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failed("interrupted");
        }
    }

    private record Node(Metadata metadata) {
        record Metadata(Map<String, String> labels) {}
    }

    private Map<String, String> labels(String node) throws IOException, GeneralSecurityException,
            InterruptedException {
        var request = HttpRequest.newBuilder(api.resolve("/api/v1/nodes/" + node)).timeout(TIMEOUT)
                .header("Authorization", "Bearer " + Files.readString(account.resolve("token")).strip()).build();
        try (var client = client()) {
            var answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new Failed("Kubernetes answers " + answer.statusCode());
            }
            var json = JsonMapper.builder().disable(
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
            return json.readValue(answer.body(), Node.class).metadata().labels();
        }
    }

    private HttpClient client() throws IOException, GeneralSecurityException {
        var client = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        if ("https".equals(api.getScheme())) {
            client.sslContext(trusting(account.resolve("ca.crt")));
        }
        return client.build();
    }

    private static SSLContext trusting(Path authority) throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(authority)) {
            store.setCertificateEntry("kubernetes", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
