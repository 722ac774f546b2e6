package io.millrace.broker.transaction;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;

import io.millrace.wire.api.CoordinatorEpoch;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.protocol.Errors;

/// Questions as AddPartitionsToTxn of version 4 and later has them, and its answers. **pure**
final class Asked {
    private Asked() {}

    /// @param questions of one transactional id only such that may go as one
    static AddPartitionsToTxnRequestData request(List<Question> questions) {
        var request = new AddPartitionsToTxnRequestData();
        for (var question : questions) {
            var transaction = request.transactions().find(question.transactionalId());
            if (transaction == null) {
                transaction = new AddPartitionsToTxnTransaction().setTransactionalId(question.transactionalId())
                        .setProducerId(question.producerId())
                        .setProducerEpoch(question.producerEpoch())
                        .setVerifyOnly(!question.adds());
                request.transactions().add(transaction);
            }
            addTo(transaction, question);
        }
        return request;
    }

    private static void addTo(AddPartitionsToTxnTransaction transaction, Question question) {
        var topics = new LinkedHashMap<String, AddPartitionsToTxnTopic>();
        transaction.topics().forEach(topic -> topics.put(topic.name(), topic));
        for (var partition : question.partitions()) {
            var topic = topics.computeIfAbsent(partition.topic(), name -> {
                var added = new AddPartitionsToTxnTopic().setName(name);
                transaction.topics().add(added);
                return added;
            });
            if (!topic.partitions().contains(partition.partition())) {
                topic.partitions().add(partition.partition());
            }
        }
    }

    /// What `response` says of each partition of `question`.
    static CoordinatorAnswer answer(Question question, AddPartitionsToTxnResponseData response) {
        var whole = Errors.forCode(response.errorCode());
        var transaction = response.resultsByTransaction().find(question.transactionalId());
        if (whole != Errors.NONE || transaction == null) {
            return CoordinatorAnswer.all(question.partitions(), whole == Errors.NONE
                    ? Errors.UNKNOWN_SERVER_ERROR
                    : whole);
        }
        var told = new HashMap<TopicPartition, Errors>();
        transaction.topicResults().forEach(topic -> topic.resultsByPartition().forEach(part -> told.put(
                new TopicPartition(topic.name(), part.partitionIndex()), Errors.forCode(part.partitionErrorCode()))));
        var found = new HashMap<TopicPartition, Errors>();
        question.partitions().forEach(partition -> found.put(partition,
                told.getOrDefault(partition, Errors.UNKNOWN_SERVER_ERROR)));
        return new CoordinatorAnswer(found, CoordinatorEpoch.of(transaction));
    }
}
