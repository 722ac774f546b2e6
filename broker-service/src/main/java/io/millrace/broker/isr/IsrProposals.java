package io.millrace.broker.isr;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import io.micrometer.core.instrument.Counter;
import io.millrace.base.loop.Backoff;
import io.millrace.base.loop.Loop;
import io.millrace.broker.partition.IsrProposal;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.PartitionLines;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.wire.error.Failures;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Brings the proposals of this broker's leaders to the controller: what has gathered while one command was in flight goes
/// with the next one. While no controller answers, the same is asked again, ever more seldom; a leader whose state has
/// moved on meanwhile asks for nothing, or for something else.
@Slf4j
public final class IsrProposals {
    /// More than that go with the next command.
    private static final int MOST_IN_COMMAND = 2_000;
    /// A controller that is there answers within milliseconds; it is asked again before followers or clients give up.
    private static final Duration ANSWER_WAIT = Duration.ofSeconds(5);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2));

    private final int brokerId;
    private final LongSupplier brokerEpoch;
    private final ControllerClient controller;
    private final Loop loop;
    private final RandomGenerator random;
    private final Counter failed;

    // On the loop alone. A partition is here at most once, and so there are no more than it leads.
    private final PartitionLines lines = new PartitionLines(log, "ISRs changed or not");
    private final Set<Partition> waiting = new LinkedHashSet<>();
    private @Nullable List<IsrProposal> inFlight;
    private int failures;
    private boolean pausing;

    /// @param brokerEpoch of this broker's registration as it is now
    /// @param failed counts proposals that were refused, and commands without an answer
    public IsrProposals(int brokerId, LongSupplier brokerEpoch, ControllerClient controller, Loop loop,
            RandomGenerator random, Counter failed) {
        this.brokerId = brokerId;
        this.brokerEpoch = brokerEpoch;
        this.controller = controller;
        this.loop = loop;
        this.random = random;
        this.failed = failed;
    }

    /// The leader of `partition` has something to ask. Any thread; what it is is asked of it when the time has come.
    public void submit(Partition partition) {
        try {
            loop.execute(() -> {
                waiting.add(partition);
                send();
            });
        } catch (RejectedExecutionException _) {
            log.debug("not proposed, the broker stops partition={}", partition.id());
        }
    }

    private void send() {
        if (inFlight != null || pausing) {
            return;
        }
        long epoch = brokerEpoch.getAsLong();
        var batch = next(epoch);
        if (batch.isEmpty()) {
            return;
        }
        inFlight = batch;
        var command = new AlterPartition(brokerId, epoch, batch.stream().map(IsrProposal::proposal).toList());
        controller.send(command, ANSWER_WAIT).whenComplete((result, failure) -> onLoop(() -> {
            inFlight = null;
            if (failure != null) {
                retry(batch, failure);
            } else {
                answered(batch, result);
            }
        }));
    }

    private List<IsrProposal> next(long epoch) {
        var batch = new ArrayList<IsrProposal>();
        Iterator<Partition> oldestFirst = waiting.iterator();
        while (oldestFirst.hasNext() && batch.size() < MOST_IN_COMMAND) {
            var proposal = oldestFirst.next().isr().proposal(epoch);
            oldestFirst.remove();
            if (proposal != null) {
                batch.add(proposal);
            }
        }
        return batch;
    }

    /// Whether it was carried out is not known: what the leaders still want is asked again.
    private void retry(List<IsrProposal> batch, Throwable failure) {
        failed.increment(batch.size());
        var wait = BACKOFF.delay(failures, random);
        if (failures++ == 0) {
            log.warn("ISRs not proposed, trying again broker={} partitions={} first={} reason={}", brokerId, batch
                    .size(), batch.getFirst().partition().id(), Failures.cause(failure).toString());
        }
        batch.forEach(proposal -> {
            proposal.partition().isr().unanswered(proposal);
            waiting.add(proposal.partition());
        });
        pausing = true;
        loop.schedule(wait, () -> {
            pausing = false;
            send();
        });
    }

    private void answered(List<IsrProposal> batch, AlterPartition.Result result) {
        if (failures > 0) {
            log.info("ISRs proposed after failures broker={} failures={}", brokerId, failures);
            failures = 0;
        }
        var checks = new TreeMap<Duration, List<Partition>>();
        for (int i = 0; i < batch.size(); i++) {
            var proposal = batch.get(i);
            var outcome = result.outcomes().get(i);
            var checkAfter = proposal.partition().isr().answered(proposal, outcome);
            if (outcome.errorCode() == 0) {
                lines.say("ISR changed partition={} leaderEpoch={} partitionEpoch={} isr={}", proposal.partition().id(),
                        outcome.leaderEpoch(), outcome.partitionEpoch(), outcome.isr());
            } else {
                failed.increment();
                lines.say("ISR not changed partition={} error={} proposed={}", proposal.partition().id(), Errors
                        .forCode(
                                outcome.errorCode()), proposal.proposal());
            }
            if (checkAfter != null) {
                checks.computeIfAbsent(checkAfter, _ -> new ArrayList<>()).add(proposal.partition());
            }
        }
        lines.end();
        checks.forEach((after, partitions) -> loop.schedule(after, () -> partitions.forEach(partition -> partition.isr()
                .check())));
        send();
    }

    private void onLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException _) {
            log.debug("an answer of the controller came too late, the broker stops broker={}", brokerId);
        }
    }
}
