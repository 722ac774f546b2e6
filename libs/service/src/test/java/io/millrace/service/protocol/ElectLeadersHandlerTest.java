package io.millrace.service.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.command.ElectLeaders;
import io.millrace.metadata.command.ElectLeaders.Outcome;
import io.millrace.metadata.command.ElectLeaders.TopicPartition;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.ElectLeadersRequestData.TopicPartitions;
import org.apache.kafka.common.message.ElectLeadersRequestData.TopicPartitionsCollection;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class ElectLeadersHandlerTest {
    private final FakeController controller = new FakeController();

    private ElectLeadersResponseData ask(ElectLeadersRequestData request, int version) {
        return Calls.call(new ElectLeadersHandler(new Forwarding(controller)), request.setTimeoutMs(700), version);
    }

    private static ElectLeadersRequestData of(TopicPartitions... topics) {
        return new ElectLeadersRequestData().setTopicPartitions(new TopicPartitionsCollection(List.of(topics)
                .iterator()));
    }

    private static TopicPartitions topic(String name, Integer... partitions) {
        return new TopicPartitions().setTopic(name).setPartitions(List.of(partitions));
    }

    @Test
    void electionIsForwardedAndAnsweredByTopicInEveryVersion() {
        controller.answers(_ -> new ElectLeaders.Result(List.of(new Outcome("a", 0, (short) 0, null), new Outcome("b",
                3, Errors.PREFERRED_LEADER_NOT_AVAILABLE.code(), "away"), new Outcome("a", 1, Errors.ELECTION_NOT_NEEDED
                        .code(), "leads"))));
        for (int version = 0; version <= 2; version++) {
            var answer = ask(of(topic("a", 0, 1), topic("b", 3)), version);

            assertThat(controller.asked.removeLast()).isEqualTo(new ElectLeaders(ElectLeaders.Type.PREFERRED, List.of(
                    new TopicPartition("a", 0), new TopicPartition("a", 1), new TopicPartition("b", 3)), 700));
            assertThat(answer.errorCode()).isZero();
            assertThat(answer.replicaElectionResults()).extracting(result -> result.topic() + result.partitionResult()
                    .stream()
                    .map(one -> " " + one.partitionId() + "=" + Errors.forCode(one.errorCode()))
                    .toList()).containsExactly("a[ 0=NONE,  1=ELECTION_NOT_NEEDED]",
                            "b[ 3=PREFERRED_LEADER_NOT_AVAILABLE]");
        }
    }

    @Test
    void nullIsAllPartitionsAndTheTypeIsKept() {
        controller.answers(_ -> new ElectLeaders.Result(List.of()));

        var answer = ask(new ElectLeadersRequestData().setElectionType((byte) 1).setTopicPartitions(null), 2);

        assertThat(controller.asked).containsExactly(new ElectLeaders(ElectLeaders.Type.UNCLEAN, null, 700));
        assertThat(answer.replicaElectionResults()).isEmpty();
    }

    @Test
    void unknownTypeIsRefusedAndReachesNobody() {
        var answer = ask(of(topic("a", 0)).setElectionType((byte) 9), 1);

        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.INVALID_REQUEST);
        assertThat(controller.asked).isEmpty();
    }

    @Test
    void refusalOfTheWholeIsOnEachPartition() {
        controller.fails(new CommandRefused(Errors.REQUEST_TIMED_OUT.code(), "busy"));

        var answer = ask(of(topic("a", 4)), 0);

        assertThat(answer.replicaElectionResults().getFirst().partitionResult()).extracting(one -> Errors.forCode(one
                .errorCode())).containsExactly(Errors.REQUEST_TIMED_OUT);
    }
}
