package io.millrace.standalone.zookeeper;

import java.util.HashMap;
import java.util.concurrent.CountDownLatch;

import lombok.extern.slf4j.Slf4j;

/// ZooKeeper in a process of its own, for cluster mode: `--address=HOST:PORT --data=FOLDER`.
@Slf4j
public final class ZooKeeperProcess {

    private ZooKeeperProcess() {}

    /// Serves until the process is asked to end; ends with 1 if it cannot start.
    public static void main(String[] args) throws InterruptedException {
        try {
            ZooKeeperArguments arguments = parse(args);
            EmbeddedZooKeeper server = EmbeddedZooKeeper.start(arguments.address(), arguments.data());
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(server::close));
        } catch (Exception e) {
            log.error("ZooKeeper cannot start", e);
            System.exit(1);
        }
        new CountDownLatch(1).await();
    }

    private static ZooKeeperArguments parse(String[] args) {
        var arguments = new HashMap<String, String>();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (!arg.startsWith("--") || equals < 0) {
                throw new IllegalArgumentException("not --key=value: " + arg);
            }
            arguments.put(arg.substring(2, equals), arg.substring(equals + 1));
        }
        return ZooKeeperArguments.of(arguments);
    }
}
