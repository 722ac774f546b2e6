package io.millrace.tests.load;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.millrace.tests.history.Writing;

/// librdkafka's producer, by kcat, to one partition. kcat tells of its records in the order in which they were given.
final class KcatWriter implements Writer {

    private static final Pattern DELIVERED = Pattern.compile(
            "% Message delivered to partition \\d+ \\(offset (\\d+)\\).*");
    private static final String FAILED = "% Delivery failed for message: ";

    private final Promises promises;
    private final int partition;
    private final Process kcat;
    private final Thread feeder;
    private final Thread listener;
    private final Queue<Long> underWay = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;

    KcatWriter(String bootstrap, String topic, int partition, String name, boolean idempotent, Duration pause) {
        this.promises = new Promises(name, idempotent);
        this.partition = partition;
        var command = new ArrayList<>(List.of("kcat", "-P", "-E", "-vvv", "-b", bootstrap, "-t", topic, "-p",
                String.valueOf(partition), "-X", "acks=all", "-X", "enable.idempotence=" + idempotent, "-X",
                "message.timeout.ms=300000", "-X", "socket.timeout.ms=3000", "-X", "reconnect.backoff.max.ms=200"));
        if (!idempotent) {
            command.addAll(List.of("-X", "max.in.flight=1", "-X", "retries=1000000"));
        }
        this.kcat = Kcat.start(command);
        this.feeder = Thread.ofPlatform().name(name).start(() -> feed(pause));
        this.listener = Thread.ofPlatform().name(name + "-told").start(this::listen);
    }

    private void feed(Duration pause) {
        try (BufferedWriter in = kcat.outputWriter()) {
            while (!ended) {
                var mark = promises.next(partition);
                underWay.add(mark.number());
                in.write(mark.text());
                in.newLine();
                in.flush();
                LockSupport.parkNanos(pause.toNanos());
            }
        } catch (IOException e) {
            promises.fail("kcat has ended: " + e.getMessage());
        }
    }

    private void listen() {
        try (BufferedReader err = kcat.errorReader()) {
            err.lines().forEach(this::told);
        } catch (IOException | UncheckedIOException e) {
            promises.fail("kcat cannot be listened to: " + e.getMessage());
        }
    }

    private void told(String line) {
        Matcher delivered = DELIVERED.matcher(line);
        if (delivered.matches()) {
            promises.acknowledge(partition, underWay.remove(), Long.parseLong(delivered.group(1)));
        } else if (line.startsWith(FAILED)) {
            underWay.remove();
            promises.fail(line.substring(FAILED.length()));
        }
    }

    @Override
    public String name() {
        return promises.writer();
    }

    @Override
    public long acknowledged() {
        return promises.acknowledged();
    }

    @Override
    public List<String> failures() {
        return promises.failures();
    }

    @Override
    public List<Writing> finish() {
        ended = true;
        Ends.join(feeder);
        if (Ends.await(kcat)) {
            Ends.join(listener); // to the last line: an end by force closes what it reads from
        } else {
            promises.fail("kcat does not end");
        }
        close();
        if (!underWay.isEmpty()) {
            promises.fail(underWay.size() + " records that kcat said nothing of");
        }
        return promises.writings();
    }

    @Override
    public void close() {
        ended = true;
        kcat.destroyForcibly();
        Ends.join(feeder);
        Ends.join(listener);
    }
}
