package io.millrace.broker;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import io.millrace.broker.partition.ReplicaFacts;
import io.millrace.broker.partition.ReplicaFacts.FollowerFacts;
import io.millrace.wire.error.Refused;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// `GET /replicas/{topic}/{partition}`: how far the replicas of a partition are, as its leader knows.
@RestController
@RequiredArgsConstructor
class ReplicasController {
    private final BrokerNode node;
    private final Clock clock;

    /// @param highWatermark below it everything is replicated
    record Replicas(int leaderEpoch, long highWatermark, long logStartOffset, long logEndOffset,
            List<Follower> followers) {}

    /// @param logEndOffset -1 where it has not fetched yet from this leader
    /// @param lastCaughtUpMs milliseconds since 1970 when it last had all that the leader had; null where it never had
    record Follower(int broker, long logEndOffset, @Nullable Long lastCaughtUpMs, boolean inSync) {}

    @GetMapping("/replicas/{topic}/{partition}")
    Replicas replicas(@PathVariable("topic") String topic, @PathVariable("partition") int partition) {
        return told(node.replicas(topic, partition));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> refused(Refused refused) {
        var status = switch (refused.error()) {
            case UNKNOWN_TOPIC_OR_PARTITION -> HttpStatus.NOT_FOUND;
            case NOT_LEADER_OR_FOLLOWER -> HttpStatus.MISDIRECTED_REQUEST;
            default -> HttpStatus.SERVICE_UNAVAILABLE;
        };
        var problem = ProblemDetail.forStatusAndDetail(status, String.valueOf(refused.getMessage()));
        problem.setTitle(refused.error().name());
        problem.setProperty("error_code", (int) refused.error().code());
        return ResponseEntity.status(status).body(problem);
    }

    private Replicas told(ReplicaFacts facts) {
        return new Replicas(facts.leaderEpoch(), facts.highWatermark(), facts.logStartOffset(), facts.logEndOffset(),
                facts.followers().stream().map(this::told).toList());
    }

    private Follower told(FollowerFacts facts) {
        return new Follower(facts.broker(), facts.logEndOffset(), wallTime(facts.behind()), facts.inSync());
    }

    private @Nullable Long wallTime(@Nullable Duration ago) {
        return ago == null ? null : clock.millis() - ago.toMillis();
    }
}
