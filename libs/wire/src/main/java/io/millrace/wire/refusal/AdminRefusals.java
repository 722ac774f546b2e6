package io.millrace.wire.refusal;

import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.AlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData.ReassignablePartitionResponse;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData.ReassignableTopicResponse;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreatePartitionsResponseData.CreatePartitionsTopicResult;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.message.ElectLeadersResponseData.PartitionResult;
import org.apache.kafka.common.message.ElectLeadersResponseData.ReplicaElectionResult;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;

/// Of the APIs about topics and configurations.
final class AdminRefusals {
    private static final short FIRST_METADATA_WITH_NULL_NAME = 12;
    private static final short FIRST_METADATA_WITH_ERROR = 13;
    private static final short FIRST_DELETE_WITH_IDS = 6;
    private static final short FIRST_ELECT_WITH_ERROR = 1;

    private AdminRefusals() {}

    static MetadataResponseData metadata(MetadataRequestData request, Refusal refusal) {
        var answer = new MetadataResponseData();
        if (refusal.version() >= FIRST_METADATA_WITH_ERROR) {
            answer.setErrorCode(refusal.code());
        }
        if (request.topics() == null) {
            return answer;
        }
        for (var topic : request.topics()) {
            var name = topic.name() == null && refusal.version() < FIRST_METADATA_WITH_NULL_NAME ? "" : topic.name();
            answer.topics()
                    .add(new MetadataResponseTopic().setName(name)
                            .setTopicId(topic.topicId())
                            .setErrorCode(refusal.code()));
        }
        return answer;
    }

    static DescribeTopicPartitionsResponseData describeTopicPartitions(DescribeTopicPartitionsRequestData request,
            Refusal refusal) {
        var answer = new DescribeTopicPartitionsResponseData();
        for (var topic : request.topics()) {
            answer.topics()
                    .add(new DescribeTopicPartitionsResponseTopic().setName(topic.name()).setErrorCode(refusal.code()));
        }
        return answer;
    }

    static CreateTopicsResponseData createTopics(CreateTopicsRequestData request, Refusal refusal) {
        var answer = new CreateTopicsResponseData();
        for (var topic : request.topics()) {
            answer.topics()
                    .add(new CreatableTopicResult().setName(topic.name())
                            .setErrorCode(refusal.code())
                            .setErrorMessage(refusal.message()));
        }
        return answer;
    }

    static DeleteTopicsResponseData deleteTopics(DeleteTopicsRequestData request, Refusal refusal) {
        var answer = new DeleteTopicsResponseData();
        if (refusal.version() < FIRST_DELETE_WITH_IDS) {
            for (var name : request.topicNames()) {
                answer.responses().add(refused(refusal).setName(name));
            }
        }
        for (var topic : request.topics()) {
            answer.responses().add(refused(refusal).setName(topic.name()).setTopicId(topic.topicId()));
        }
        return answer;
    }

    private static DeletableTopicResult refused(Refusal refusal) {
        return new DeletableTopicResult().setErrorCode(refusal.code()).setErrorMessage(refusal.message());
    }

    static CreatePartitionsResponseData createPartitions(CreatePartitionsRequestData request, Refusal refusal) {
        var answer = new CreatePartitionsResponseData();
        for (var topic : request.topics()) {
            answer.results()
                    .add(new CreatePartitionsTopicResult().setName(topic.name())
                            .setErrorCode(refusal.code())
                            .setErrorMessage(refusal.message()));
        }
        return answer;
    }

    static DescribeConfigsResponseData describeConfigs(DescribeConfigsRequestData request, Refusal refusal) {
        var answer = new DescribeConfigsResponseData();
        for (var resource : request.resources()) {
            answer.results()
                    .add(new DescribeConfigsResult().setResourceType(resource.resourceType())
                            .setResourceName(resource.resourceName())
                            .setErrorCode(refusal.code())
                            .setErrorMessage(refusal.message()));
        }
        return answer;
    }

    static AlterConfigsResponseData alterConfigs(AlterConfigsRequestData request, Refusal refusal) {
        var answer = new AlterConfigsResponseData();
        for (var resource : request.resources()) {
            answer.responses()
                    .add(new AlterConfigsResourceResponse().setResourceType(resource.resourceType())
                            .setResourceName(resource.resourceName())
                            .setErrorCode(refusal.code())
                            .setErrorMessage(refusal.message()));
        }
        return answer;
    }

    static IncrementalAlterConfigsResponseData incrementalAlterConfigs(IncrementalAlterConfigsRequestData request,
            Refusal refusal) {
        var answer = new IncrementalAlterConfigsResponseData();
        for (var resource : request.resources()) {
            answer.responses()
                    .add(new IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse()
                            .setResourceType(resource.resourceType())
                            .setResourceName(resource.resourceName())
                            .setErrorCode(refusal.code())
                            .setErrorMessage(refusal.message()));
        }
        return answer;
    }

    static ElectLeadersResponseData electLeaders(ElectLeadersRequestData request, Refusal refusal) {
        var answer = new ElectLeadersResponseData();
        if (refusal.version() >= FIRST_ELECT_WITH_ERROR) {
            answer.setErrorCode(refusal.code());
        }
        if (request.topicPartitions() == null) {
            return answer;
        }
        for (var topic : request.topicPartitions()) {
            answer.replicaElectionResults()
                    .add(new ReplicaElectionResult().setTopic(topic.topic())
                            .setPartitionResult(topic.partitions()
                                    .stream()
                                    .map(partition -> new PartitionResult().setPartitionId(partition)
                                            .setErrorCode(refusal.code())
                                            .setErrorMessage(refusal.message()))
                                    .toList()));
        }
        return answer;
    }

    static AlterPartitionReassignmentsResponseData alterReassignments(AlterPartitionReassignmentsRequestData request,
            Refusal refusal) {
        var answer = new AlterPartitionReassignmentsResponseData().setErrorCode(refusal.code())
                .setErrorMessage(refusal.message());
        for (var topic : request.topics()) {
            answer.responses()
                    .add(new ReassignableTopicResponse().setName(topic.name())
                            .setPartitions(topic.partitions()
                                    .stream()
                                    .map(partition -> new ReassignablePartitionResponse().setPartitionIndex(partition
                                            .partitionIndex())
                                            .setErrorCode(refusal.code())
                                            .setErrorMessage(refusal.message()))
                                    .toList()));
        }
        return answer;
    }
}
