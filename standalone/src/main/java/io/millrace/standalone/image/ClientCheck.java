package io.millrace.standalone.image;

import java.time.Duration;

import io.millrace.standalone.process.Pause;
import io.millrace.standalone.ready.NotReady;
import io.millrace.standalone.ready.Readiness;
import lombok.extern.slf4j.Slf4j;

/// Waits until a client of the cluster would be served: every partition has a leader that knows it, every shard of groups a
/// coordinator that has loaded it, and a group can be joined. The chart's test.
@Slf4j
final class ClientCheck {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Duration QUESTION = Duration.ofSeconds(5);
    private static final Duration REST = Duration.ofSeconds(1);

    private ClientCheck() {}

    /// @param args `HOST:PORT` of any broker. Ends with 1, and what is missing, where that takes too long
    static void main(String[] args) {
        int colon = args.length == 1 ? args[0].lastIndexOf(':') : -1;
        if (colon < 0) {
            throw new IllegalArgumentException("usage: check HOST:PORT");
        }
        var readiness = new Readiness(QUESTION);
        long end = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            try {
                readiness.check(args[0].substring(0, colon), Integer.parseInt(args[0].substring(colon + 1)));
                log.info("clients are served bootstrap={}", args[0]);
                return;
            } catch (NotReady missing) {
                if (System.nanoTime() > end) {
                    log.error("clients are not served bootstrap={} reason=\"{}\"", args[0], missing.getMessage());
                    System.exit(1);
                }
                Pause.of(REST);
            }
        }
    }
}
