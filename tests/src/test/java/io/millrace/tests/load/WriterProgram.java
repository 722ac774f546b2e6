package io.millrace.tests.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.millrace.tests.compatibility.Kafka;

/// A [TransactionalWriter] in a process of its own: it tells its transactions line by line, and ends when its input does.
final class WriterProgram {
    private static final int PACE_MILLIS = 100;
    static final String FAILURE = "failure ";

    private WriterProgram() {}

    /// @param arguments bootstrap address, topic, its partitions, name, seed
    public static void main(String... arguments) throws InterruptedException {
        var end = new CountDownLatch(1);
        Thread.ofPlatform().daemon().start(() -> awaitInput(end));
        var writer = new TransactionalWriter(new Kafka(arguments[0]), arguments[1], Integer.parseInt(arguments[2]),
                arguments[3], Long.parseLong(arguments[4]));
        int told = 0;
        while (!end.await(PACE_MILLIS, TimeUnit.MILLISECONDS)) {
            told = tell(writer, told);
        }
        writer.close(); // what it does last is told, too
        tell(writer, told);
        writer.failures().forEach((failure, times) -> println(FAILURE + times + " " + failure));
    }

    /// Its end, too, is one: nobody is there any more.
    private static void awaitInput(CountDownLatch end) {
        try {
            System.in.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            end.countDown();
        }
    }

    private static int tell(TransactionalWriter writer, int told) {
        var all = writer.transactions();
        all.subList(told, all.size()).forEach(transaction -> println(TransactionLine.of(transaction)));
        return all.size();
    }

    private static void println(String line) {
        System.out.println(line); // what this program is for
    }
}
