package io.millrace.standalone;

import java.util.concurrent.CountDownLatch;

import lombok.extern.slf4j.Slf4j;

/// The process of standalone mode. Its arguments are those of each role with the role's name in front, see
/// [StandaloneArguments].
@Slf4j
public final class StandaloneApplication {

    private StandaloneApplication() {}

    /// Runs until the process is asked to end. Ends with 1, after one line that says why, if a role cannot start or ends
    /// by itself; no other role stays then.
    public static void main(String[] args) throws InterruptedException {
        PlainLogging.start();
        try {
            var standalone = new Standalone(StandaloneArguments.of(args), StandaloneApplication::exit);
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(standalone::stop));
            standalone.start();
            log.info("All roles are started");
        } catch (RoleFailed | IllegalArgumentException e) {
            log.error("Standalone stops: {}", e.getMessage());
            System.exit(1);
        }
        new CountDownLatch(1).await();
    }

    /// On a thread of its own: the caller may be what the shutdown hook waits for.
    private static void exit() {
        Thread.ofPlatform().name("exit").start(() -> System.exit(1));
    }
}
