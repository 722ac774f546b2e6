package io.millrace.broker.fetch;

import java.util.List;

import io.millrace.broker.partition.LeaderHints;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.NodeEndpoint;

/// Puts the answers for single partitions together.
final class FetchAssembler {
    private final LeaderHints hints;

    FetchAssembler(LeaderHints hints) {
        this.hints = hints;
    }

    /// In the order of `answers`: neighbours of one topic share its entry.
    ///
    /// @param session its id; 0 for none
    FetchResponseData response(int session, List<Answered> answers, RequestContext context) {
        var response = new FetchResponseData().setSessionId(session);
        FetchableTopicResponse topic = null;
        for (var answer : answers) {
            var key = answer.item().key();
            if (topic == null || !topic.topic().equals(key.topic()) || !topic.topicId().equals(key.topicId())) {
                topic = new FetchableTopicResponse().setTopic(key.topic()).setTopicId(key.topicId());
                response.responses().add(topic);
            }
            topic.partitions().add(answer.data());
            if (answer.data().currentLeader().leaderId() >= 0) {
                tellEndpoint(response, key, context.listener());
            }
        }
        return response;
    }

    private void tellEndpoint(FetchResponseData response, FetchKey key, String listener) {
        hints.of(key.topic(), key.topicId(), key.partition(), listener).ifPresent(hint -> {
            var endpoint = hint.endpoint();
            if (endpoint != null && response.nodeEndpoints().find(hint.leader()) == null) {
                response.nodeEndpoints().add(new NodeEndpoint().setNodeId(hint.leader())
                        .setHost(endpoint.host())
                        .setPort(endpoint.port())
                        .setRack(hint.rack()));
            }
        });
    }
}
