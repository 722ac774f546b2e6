package io.millrace.admin;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A headless browser with one page, driven by its own debugging protocol.
final class Browser implements AutoCloseable {
    static final Path PROGRAM = Path.of("/usr/bin/chromium");
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final JsonMapper json = new JsonMapper();
    private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final AtomicInteger last = new AtomicInteger();
    private final WebSocket page;

    /// @param home a folder of its own
    Browser(Path home, String colors) throws IOException, InterruptedException {
        var profile = home.resolve("profile-" + colors);
        process = new ProcessBuilder(List.of(PROGRAM.toString(), "--headless", "--no-sandbox", "--disable-gpu",
                "--disable-dev-shm-usage", "--window-size=1280,900", "--remote-debugging-port=0", "--user-data-dir="
                        + profile,
                colors.equals("dark") ? "--force-dark-mode" : "--no-first-run", "about:blank"))
                .redirectErrorStream(true).redirectOutput(home.resolve("browser.log").toFile()).start();
        var port = profile.resolve("DevToolsActivePort");
        await().atMost(LIMIT).until(() -> Files.exists(port) && Files.readAllLines(port).size() > 1);
        var root = "http://127.0.0.1:" + Files.readAllLines(port).getFirst();
        var pages = json.readTree(http.send(HttpRequest.newBuilder(URI.create(root + "/json")).build(), BodyHandlers
                .ofString()).body());
        page = http.newWebSocketBuilder().buildAsync(URI.create(pages.path(0).path("webSocketDebuggerUrl").asString()),
                new Answers()).join();
        ask("Emulation.setEmulatedMedia", Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value",
                colors))));
    }

    private final class Answers implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean isLast) {
            text.append(part);
            if (isLast) {
                var message = json.readTree(text.toString());
                text.setLength(0);
                var waiting = asked.remove(message.path("id").asInt(-1));
                if (waiting != null) {
                    waiting.complete(message.path("result"));
                }
            }
            return WebSocket.Listener.super.onText(socket, part, isLast);
        }
    }

    private JsonNode ask(String method, Map<String, Object> parameters) {
        int id = last.incrementAndGet();
        var answer = new CompletableFuture<JsonNode>();
        asked.put(id, answer);
        page.sendText(json.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true).join();
        return answer.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    void open(String url) {
        ask("Page.navigate", Map.of("url", url));
    }

    /// What an expression is on the page, as text.
    String evaluate(String expression) {
        return ask("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true)).path("result").path(
                "value").asString("");
    }

    /// Waits until the page shows that text.
    void shows(String text) {
        await().atMost(LIMIT).until(() -> evaluate("document.body.innerText"), shown -> shown.contains(text));
    }

    /// What the page looks like, as PNG.
    void photograph(Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.write(to, Base64.getDecoder().decode(ask("Page.captureScreenshot", Map.of("format", "png")).path("data")
                .asString()));
    }

    /// Returns when all its processes have ended: those besides the first write into its folder to their end.
    @Override
    public void close() {
        page.abort();
        http.shutdownNow();
        var all = Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
        process.destroy();
        var ended = CompletableFuture.allOf(all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new));
        try {
            ended.orTimeout(10, TimeUnit.SECONDS).join();
        } catch (CompletionException _) {
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }
}
