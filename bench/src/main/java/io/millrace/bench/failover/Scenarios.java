package io.millrace.bench.failover;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.apache.kafka.common.TopicPartitionInfo;

/// What is measured. Times count from the signal, or from the request.
final class Scenarios {

    private static final int REPLICAS = 3;

    private final Target target;
    private final Clients clients;
    private final int rounds;
    private final String run = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);

    Scenarios(Target target, Clients clients, int rounds) {
        this.target = target;
        this.clients = clients;
        this.rounds = rounds;
    }

    private interface Round {
        void run(String topic, int round, Figures figures);
    }

    /// @param scenario `name:partitions`, and `:replicas` where they are not three
    Figures measure(String scenario) {
        String[] parts = scenario.split(":", -1);
        int partitions = Integer.parseInt(parts[1]);
        int replicas = parts.length > 2 ? Integer.parseInt(parts[2]) : REPLICAS;
        var figures = new Figures();
        Round round = switch (parts[0]) {
            case "kill" -> (topic, _, it) -> kill(topic, partitions, it);
            case "hang" -> (topic, _, it) -> hang(topic, partitions, it);
            case "end" -> (topic, _, it) -> end(topic, partitions, it);
            case "restart" -> (topic, _, it) -> restart(topic, partitions, it);
            case "controller" -> (_, number, it) -> controller(number, it);
            case "create" -> (_, number, it) -> create(number, partitions, replicas, it);
            default -> throw new IllegalArgumentException("no such scenario: " + scenario);
        };
        String topic = "failover-" + run + "-" + parts[0] + "-" + partitions;
        boolean needsTopic = !parts[0].equals("create");
        if (needsTopic) {
            clients.createOnceAllAreThere(topic, partitions, replicas);
            clients.awaitInSync(topic, partitions, replicas);
            clients.defaultRequests().writeToEach(topic, partitions);
        }
        for (int i = 0; i < rounds; i++) {
            Wait.settle();
            round.run(topic, i, figures);
            if (needsTopic) {
                clients.awaitInSync(topic, partitions, replicas);
                clients.electPreferred(clients.partitions(topic), topic);
            }
        }
        if (needsTopic) {
            clients.delete(topic);
            Wait.settle();
        }
        return figures;
    }

    /// The broker that leads most of the topic and is not the controller.
    private int victim(List<TopicPartitionInfo> partitions) {
        Map<Integer, Integer> leads = new HashMap<>();
        partitions.forEach(it -> leads.merge(it.leader().id(), 1, Integer::sum));
        leads.keySet().removeIf(target::isController);
        return Collections.max(leads.entrySet(), Map.Entry.comparingByValue()).getKey();
    }

    private void writeToEach(String topic, List<TopicPartitionInfo> before, int victim, long since, Figures figures) {
        writeToEach(clients.defaultRequests(), topic, before, victim, since, figures);
    }

    private void writeToEach(Writer writer, String topic, List<TopicPartitionInfo> before, int victim, long since,
            Figures figures) {
        List<Long> times = writer.writeToEach(topic, before.size());
        var moved = IntStream.range(0, times.size()).filter(it -> before.get(it).leader().id() == victim)
                .mapToDouble(it -> (times.get(it) - since) / 1e6).summaryStatistics();
        figures.add("leaders lost", (double) moved.getCount());
        figures.add("the first of them takes a record, ms", moved.getMin());
        figures.add("all of them take a record, ms", moved.getMax());
        figures.add("every partition takes a record, ms", (Collections.max(times) - since) / 1e6);
    }

    private void kill(String topic, int partitions, Figures figures) {
        List<TopicPartitionInfo> before = clients.partitions(topic);
        int victim = victim(before);
        long pid = target.broker(victim);
        long killed = System.nanoTime();
        Shell.signal(pid, "KILL");
        writeToEach(topic, before, victim, killed, figures);
        Wait.until("broker " + victim + " is gone", () -> !clients.isListed(victim));
        startAndAwaitInSync(victim, topic, partitions, figures);
    }

    private void hang(String topic, int partitions, Figures figures) {
        List<TopicPartitionInfo> before = clients.partitions(topic);
        int victim = victim(before);
        long pid = target.broker(victim);
        clients.shortRequests().writeToEach(topic, partitions);
        long stopped = System.nanoTime();
        Shell.signal(pid, "STOP");
        try {
            var moved = Wait.inBackground(() -> clients.awaitNotLed(topic, victim));
            writeToEach(clients.shortRequests(), topic, before, victim, stopped, figures);
            figures.add("clients are told of other leaders, ms", (moved.join() - stopped) / 1e6);
        } finally {
            Shell.signal(pid, "CONT");
        }
        long resumed = System.nanoTime();
        clients.awaitInSync(topic, partitions, REPLICAS);
        figures.addSince("resumed, all in sync, ms", resumed);
    }

    private void end(String topic, int partitions, Figures figures) {
        List<TopicPartitionInfo> before = clients.partitions(topic);
        int victim = victim(before);
        long pid = target.broker(victim);
        long asked = System.nanoTime();
        Shell.signal(pid, "TERM");
        writeToEach(topic, before, victim, asked, figures);
        Shell.awaitEnd(pid);
        figures.addSince("the process has ended, ms", asked);
        startAndAwaitInSync(victim, topic, partitions, figures);
    }

    /// The clock does not wait for the command that starts it, which may wait for more than is asked for here.
    private void startAndAwaitInSync(int broker, String topic, int partitions, Figures figures) {
        long started = System.nanoTime();
        var tries = Wait.inBackground(() -> startUntilItServes(broker));
        clients.awaitInSync(topic, partitions, REPLICAS);
        figures.addSince("started again, all in sync, ms", started);
        figures.add("starts that were needed", (double) tries.join());
    }

    /// Killed, and started again before anybody can have noticed.
    private void restart(String topic, int partitions, Figures figures) {
        int victim = victim(clients.partitions(topic));
        long pid = target.broker(victim);
        long killed = System.nanoTime();
        Shell.signal(pid, "KILL");
        Shell.awaitEnd(pid);
        long tries = startUntilItServes(victim);
        Wait.until("broker " + victim + " is listed", () -> clients.isListed(victim));
        figures.addSince("in service, ms", killed);
        clients.awaitInSync(topic, partitions, REPLICAS);
        figures.addSince("all in sync, ms", killed);
        figures.add("starts that were needed", (double) tries);
    }

    private long startUntilItServes(int broker) {
        long tries = 1;
        while (!target.startBroker(broker)) {
            tries++;
        }
        return tries;
    }

    private void controller(int round, Figures figures) {
        String fresh = "failover-" + run + "-fresh-" + round;
        long pid = target.controller();
        long killed = System.nanoTime();
        Shell.signal(pid, "KILL");
        clients.createEagerly(fresh);
        figures.addSince("a topic is created, ms", killed);
        clients.awaitLed(fresh, 1);
        figures.addSince("it is led, ms", killed);
        Shell.awaitEnd(pid);
        target.startController();
        clients.delete(fresh);
    }

    private void create(int round, int partitions, int replicas, Figures figures) {
        String topic = "failover-" + run + "-create-" + partitions + "-" + round;
        long asked = System.nanoTime();
        clients.create(topic, partitions, replicas);
        figures.addSince("answered, ms", asked);
        figures.add("a record written to each, ms",
                (Collections.max(clients.defaultRequests().writeToEach(topic, partitions)) - asked) / 1e6);
        Wait.settle();
        long deleted = System.nanoTime();
        clients.delete(topic);
        figures.addSince("deleted: answered, ms", deleted);
        clients.awaitGone(topic);
        figures.addSince("deleted: gone, ms", deleted);
    }
}
