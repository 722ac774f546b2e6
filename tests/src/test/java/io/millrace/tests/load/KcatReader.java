package io.millrace.tests.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/// librdkafka's consumer, by kcat, without a group. It is told to reset nothing, so that an offset that was there and is
/// no more is a complaint.
final class KcatReader implements Reader {

    private final Sightings sightings;
    private final Process kcat;
    private final Thread out;
    private final Thread err;
    private volatile boolean ended;

    KcatReader(String bootstrap, String topic, String name) {
        this.sightings = new Sightings(name);
        this.kcat = Kcat.start(List.of("kcat", "-C", "-E", "-u", "-b", bootstrap, "-t", topic, "-o", "0", "-f",
                "%p %o %s\\n", "-X", "auto.offset.reset=error", "-X", "socket.timeout.ms=5000", "-X",
                "reconnect.backoff.max.ms=200"));
        this.out = Thread.ofPlatform().name(name).start(this::read);
        this.err = Thread.ofPlatform().name(name + "-told").start(this::listen);
    }

    private void read() {
        try (BufferedReader lines = kcat.inputReader()) {
            lines.lines().map(it -> it.split(" ", 3)).filter(it -> it.length == 3)
                    .forEach(it -> sightings.saw(Integer.parseInt(it[0]), Long.parseLong(it[1]), it[2]));
        } catch (IOException | UncheckedIOException e) {
            complain("cannot be read: " + e.getMessage());
        }
        complain("has ended");
    }

    private void listen() {
        try (BufferedReader lines = kcat.errorReader()) {
            lines.lines().filter(it -> it.toLowerCase(Locale.ROOT).contains("out of range")).forEach(this::complain);
        } catch (IOException | UncheckedIOException e) {
            complain("cannot be listened to: " + e.getMessage());
        }
    }

    private void complain(String text) {
        if (!ended) {
            sightings.complain(text);
        }
    }

    @Override
    public Sightings sightings() {
        return sightings;
    }

    @Override
    public void close() {
        ended = true;
        kcat.destroyForcibly();
        Ends.join(out);
        Ends.join(err);
    }
}
