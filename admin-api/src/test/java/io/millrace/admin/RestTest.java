package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.patch;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.put;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigOutcome;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.command.CreatePartitions;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.command.TopicOutcome;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.TopicImage;
import io.millrace.service.protocol.TopicIds;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResult;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResultCollection;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroupMember;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

class RestTest extends Rest {

    @Test
    void theOneClusterIsListedWithItsLinks() throws Exception {
        http.perform(get("/v3/clusters")).andExpect(status().isOk())
                .andExpect(jsonPath("$.kind").value("KafkaClusterList"))
                .andExpect(jsonPath("$.metadata.self").value("http://millrace.test/v3/clusters"))
                .andExpect(jsonPath("$.metadata.next").isEmpty())
                .andExpect(jsonPath("$.data[0].cluster_id").value(FakeCluster.ID))
                .andExpect(jsonPath("$.data[0].topics.related").value(SELF + "/topics"))
                .andExpect(jsonPath("$.data[0].metadata.resource_name").value("crn:///kafka=" + FakeCluster.ID));
    }

    @Test
    void confluentsOtherPrefixReachesTheSameResources() throws Exception {
        http.perform(get("/kafka" + CLUSTER + "/topics/orders"))
                .andExpect(result -> assertThat(result.getResponse().getForwardedUrl())
                        .isEqualTo(CLUSTER + "/topics/orders"));
    }

    @ParameterizedTest
    @CsvSource({"/v3/clusters/other,404", "/v3/clusters/other/topics,404", "{c}/brokers/7,404", "{c}/topics/none,40403",
            "{c}/topics/orders/partitions/2,40403", "{c}/topics/orders/partitions/-1,40403",
            "{c}/topics/orders/partitions/0/replicas/9,404", "{c}/topics/none/configs,40403", "/v3/nothing,404"})
    void whatIsNotThereIsNotFound(String path, int code) throws Exception {
        http.perform(get(path.replace("{c}", CLUSTER))).andExpect(status().isNotFound())
                .andExpect(jsonPath("$.error_code").value(code)).andExpect(jsonPath("$.message").isNotEmpty());
    }

    @Test
    void aNumberThatIsNoneIsABadRequest() throws Exception {
        http.perform(get(CLUSTER + "/brokers/x")).andExpect(status().isBadRequest())
                .andExpect(jsonPath("$.error_code").value(400))
                .andExpect(jsonPath("$.message").value("'x' is not a value of brokerId"));
    }

    @Test
    void aBrokerIsDescribed() throws Exception {
        http.perform(get(CLUSTER + "/brokers/0")).andExpect(status().isOk())
                .andExpect(jsonPath("$.kind").value("KafkaBroker")).andExpect(jsonPath("$.broker_id").value(0))
                .andExpect(jsonPath("$.host").value("127.0.0.1")).andExpect(jsonPath("$.port").value(9092))
                .andExpect(jsonPath("$.configs.related").value(SELF + "/brokers/0/configs"));
        http.perform(get(CLUSTER + "/brokers/0/partition-replicas")).andExpect(jsonPath("$.data.length()").value(3));
    }

    @Test
    void topicsAreListedByNameAndFilteredLiterally() throws Exception {
        fake.add(TopicImage.of("orders.v2", new UUID(1, 9)).with(FakeCluster.partition(0, 0)));
        http.perform(get(CLUSTER + "/topics")).andExpect(jsonPath("$.data.length()").value(3))
                .andExpect(jsonPath("$.data[0].topic_name").value("__consumer_offsets"))
                .andExpect(jsonPath("$.data[0].is_internal").value(true));
        http.perform(get(CLUSTER + "/topics?prefix=orders.")).andExpect(jsonPath("$.data.length()").value(1));
        http.perform(get(CLUSTER + "/topics?internal=false")).andExpect(jsonPath("$.data.length()").value(2));
    }

    @Test
    void aTopicIsCreatedWithWhatWasAsked() throws Exception {
        fake.answer(CreateTopics.class, command -> {
            var topic = command.topics().getFirst();
            fake.add(TopicImage.of(topic.name(), new UUID(5, 5)).with(FakeCluster.partition(0, 0)));
            return new CreateTopics.Result(
                    List.of(new TopicOutcome(topic.name(), new UUID(5, 5), (short) 0, null, topic.partitions(), 1)));
        });
        http.perform(post(CLUSTER + "/topics").contentType(MediaType.APPLICATION_JSON).content("""
                {"topic_name":"new","partitions_count":1,"configs":[{"name":"retention.ms","value":"5"}]}"""))
                .andExpect(status().isCreated()).andExpect(header().string("Location", SELF + "/topics/new"))
                .andExpect(jsonPath("$.partitions_count").value(1));
        assertThat(fake.commands).singleElement().isEqualTo(new CreateTopics(
                List.of(new CreateTopics.NewTopic("new", 1, CreateTopics.DEFAULT, Map.of(), Map.of("retention.ms",
                        "5"))),
                false, 5000));
    }

    @Test
    void aDryRunOfACreationAnswersWhatWouldBe() throws Exception {
        fake.answer(CreateTopics.class,
                _ -> new CreateTopics.Result(List.of(new TopicOutcome("new", null, (short) 0, null, 4, 1))));
        http.perform(post(CLUSTER + "/topics").contentType(MediaType.APPLICATION_JSON).content("""
                {"topic_name":"new","validate_only":true}""")).andExpect(status().isOk())
                .andExpect(jsonPath("$.partitions_count").value(4)).andExpect(jsonPath("$.topic_id").isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"TOPIC_ALREADY_EXISTS,400,40002", "INVALID_REPLICATION_FACTOR,400,40002", "INVALID_CONFIG,400,40002",
            "REQUEST_TIMED_OUT,504,50401", "NOT_CONTROLLER,503,50303", "UNKNOWN_TOPIC_OR_PARTITION,404,40403",
            "POLICY_VIOLATION,400,40002", "THROTTLING_QUOTA_EXCEEDED,429,42901", "KAFKA_STORAGE_ERROR,500,50003"})
    void whatTheControllerRefusesKeepsItsReason(Errors error, int status, int code) throws Exception {
        fake.answer(CreateTopics.class,
                _ -> new CreateTopics.Result(List.of(TopicOutcome.refused("new", null, error.code(), "because"))));
        http.perform(post(CLUSTER + "/topics").contentType(MediaType.APPLICATION_JSON).content("""
                {"topic_name":"new"}""")).andExpect(status().is(status)).andExpect(jsonPath("$.error_code").value(code))
                .andExpect(jsonPath("$.message").value("because"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{}", "{\"topic_name\":\"\"}",
            "{\"topic_name\":\"a\",\"partitions_count\":\"x\"}",
            "{\"topic_name\":\"a\",\"partitions_count\":1.5}", "{\"topic_name\":\"a\",\"partition_count\":3}",
            "{\"topic_name\":\"a\",\"replicas_assignments\":[null]}",
            "{\"topic_name\":\"a\",\"replicas_assignments\":[{\"partition_id\":0,\"broker_ids\":[null]}]}",
            "{\"topic_name\":\"a\",\"configs\":[null]}", "{\"topic_name\":\"a\",\"configs\":[{\"name\":\"k\"}]}",
            "{\"topic_name\":\"a\",\"configs\":[{\"name\":\"k\",\"value\":\"1\"},{\"name\":\"k\",\"value\":\"2\"}]}"})
    void aBodyThatIsNotATopicIsABadRequestAndNothingIsCreated(String body) throws Exception {
        http.perform(post(CLUSTER + "/topics").contentType(MediaType.APPLICATION_JSON).content(body))
                .andExpect(status().isBadRequest()).andExpect(jsonPath("$.error_code").value(400));
        assertThat(fake.commands).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "{\"topic_name\":\"a\",\"partition_count\":3}|the body is not the JSON that this call takes; look at partition_count",
            "{\"topic_name\":\"a\",\"configs\":[{\"name\":[]}]}|the body is not the JSON that this call takes; look at configs[0].name",
            "{\"topic_name\":\"\",\"configs\":[{\"name\":\"k\"}]}|configs[0].value must not be null; topic_name must not be blank"})
    void aRefusalNamesTheFieldsAtFault(String body, String message) throws Exception {
        http.perform(post(CLUSTER + "/topics").contentType(MediaType.APPLICATION_JSON).content(body))
                .andExpect(status().isBadRequest()).andExpect(jsonPath("$.message").value(message));
    }

    @Test
    void whoAcceptsNoJsonIsRefusedInJsonBeforeAnythingIsDone() throws Exception {
        http.perform(post(CLUSTER + "/topics").accept(MediaType.TEXT_HTML).contentType(MediaType.APPLICATION_JSON)
                .content("{\"topic_name\":\"a\"}")).andExpect(status().isNotAcceptable())
                .andExpect(content().contentType(MediaType.APPLICATION_JSON))
                .andExpect(jsonPath("$.error_code").value(406));
        assertThat(fake.commands).isEmpty();
        http.perform(get(CLUSTER + "/topics/none").accept(MediaType.TEXT_HTML, MediaType.ALL))
                .andExpect(status().isNotFound()).andExpect(jsonPath("$.error_code").value(40403));
    }

    @Test
    void otherVerbsAndMediaTypesAreRefusedInTheSameShape() throws Exception {
        http.perform(put(CLUSTER + "/topics")).andExpect(status().isMethodNotAllowed())
                .andExpect(jsonPath("$.error_code").value(405));
        http.perform(post(CLUSTER + "/topics").contentType(MediaType.TEXT_PLAIN).content("x"))
                .andExpect(status().isUnsupportedMediaType()).andExpect(jsonPath("$.error_code").value(415));
    }

    @Test
    void aTopicGrowsAndIsDeleted() throws Exception {
        fake.answer(CreatePartitions.class, _ -> new CreatePartitions.Result(
                List.of(new TopicOutcome("orders", FakeCluster.ORDERS, (short) 0, null, 3, 1))));
        fake.answer(DeleteTopics.class, _ -> new DeleteTopics.Result(
                List.of(new TopicOutcome("orders", FakeCluster.ORDERS, (short) 0, null, -1, -1))));
        http.perform(patch(CLUSTER + "/topics/orders").contentType(MediaType.APPLICATION_JSON).content("""
                {"partitions_count":3}""")).andExpect(status().isOk());
        http.perform(delete(CLUSTER + "/topics/orders")).andExpect(status().isNoContent());
        assertThat(fake.commands).hasSize(2);
    }

    @Test
    void configsAreReadWithTheirSources() throws Exception {
        fake.answer(DescribeConfigsRequestData.class, request -> {
            var resource = request.resources().getFirst();
            assertThat(resource.resourceName()).isEqualTo("orders");
            return new DescribeConfigsResponseData().setResults(List.of(new DescribeConfigsResult().setConfigs(List.of(
                    new DescribeConfigsResourceResult().setName("retention.ms").setValue("1000").setConfigSource(
                            (byte) 1)))));
        });
        http.perform(get(CLUSTER + "/topics/orders/configs/retention.ms")).andExpect(status().isOk())
                .andExpect(jsonPath("$.kind").value("KafkaTopicConfig")).andExpect(jsonPath("$.value").value("1000"))
                .andExpect(jsonPath("$.is_default").value(false))
                .andExpect(jsonPath("$.source").value("DYNAMIC_TOPIC_CONFIG"))
                .andExpect(jsonPath("$.broker_id").doesNotExist())
                .andExpect(jsonPath("$.metadata.self").value(SELF + "/topics/orders/configs/retention.ms"));
    }

    @Test
    void configsAreSetDeletedAndAlteredTogether() throws Exception {
        fake.answer(AlterConfigs.class, _ -> new AlterConfigs.Result(
                List.of(new ConfigOutcome(ConfigResource.topic("orders"), (short) 0, null))));
        http.perform(put(CLUSTER + "/topics/orders/configs/retention.ms").contentType(MediaType.APPLICATION_JSON)
                .content("{\"value\":\"7\"}")).andExpect(status().isNoContent());
        http.perform(delete(CLUSTER + "/topics/orders/configs/retention.ms")).andExpect(status().isNoContent());
        http.perform(post(CLUSTER + "/topics/orders/configs:alter").contentType(MediaType.APPLICATION_JSON)
                .content("{\"data\":[null]}")).andExpect(status().isBadRequest());
        http.perform(post(CLUSTER + "/topics/orders/configs:alter").contentType(MediaType.APPLICATION_JSON).content("""
                {"data":[{"name":"a","value":"1"},{"name":"b","operation":"DELETE"}],"validate_only":true}"""))
                .andExpect(status().isNoContent());
        var last = (AlterConfigs) fake.commands.stream().toList().getLast();
        assertThat(last.validateOnly()).isTrue();
        assertThat(last.alterations().getFirst().ops()).extracting(AlterConfigs.Op::type)
                .containsExactly(OpType.SET, OpType.DELETE);
    }

    @Test
    void offsetsOfAPartitionWithoutALeaderAreNotAvailable() throws Exception {
        http.perform(get(CLUSTER + "/topics/orders/partitions/1/offset")).andExpect(status().isServiceUnavailable())
                .andExpect(jsonPath("$.error_code").value(50302));
    }

    @Test
    void lagIsTheDifferenceWhereBothEndsAreKnownAndNothingElsewhere() throws Exception {
        groupOf("shop", Map.of(0, 40L, 1, 5L));
        fake.answer(ListOffsetsRequestData.class, _ -> new ListOffsetsResponseData().setTopics(List.of(
                new ListOffsetsTopicResponse().setName("orders").setPartitions(
                        List.of(new ListOffsetsPartitionResponse().setPartitionIndex(0).setOffset(100))))));
        http.perform(get(CLUSTER + "/consumer-groups/shop/lags")).andExpect(status().isOk())
                .andExpect(jsonPath("$.data.length()").value(2)).andExpect(jsonPath("$.data[0].lag").value(60))
                .andExpect(jsonPath("$.data[1].current_offset").value(5)).andExpect(jsonPath("$.data[1].lag")
                        .isEmpty());
        http.perform(get(CLUSTER + "/consumer-groups/shop/lag-summary")).andExpect(jsonPath("$.total_lag").value(60))
                .andExpect(jsonPath("$.max_lag_partition_id").value(0));
        http.perform(get(CLUSTER + "/consumer-groups/shop/lags/orders/partitions/7")).andExpect(status().isNotFound());
    }

    @Test
    void offsetsThatNameTheirTopicByIdAreNamedForPeople() throws Exception {
        groupOf("shop", Map.of());
        fake.answer(OffsetFetchRequestData.class, _ -> new OffsetFetchResponseData().setGroups(
                List.of(new OffsetFetchResponseGroup().setGroupId("shop")
                        .setTopics(List.of(offsetsOf(FakeCluster.ORDERS), offsetsOf(new UUID(8, 8)))))));
        fake.answer(ListOffsetsRequestData.class, _ -> new ListOffsetsResponseData());
        http.perform(get(CLUSTER + "/consumer-groups/shop/lags")).andExpect(jsonPath("$.data.length()").value(1))
                .andExpect(jsonPath("$.data[0].topic_name").value("orders"));
    }

    private static OffsetFetchResponseTopics offsetsOf(UUID topic) {
        return new OffsetFetchResponseTopics().setTopicId(TopicIds.toKafka(topic))
                .setPartitions(List.of(new OffsetFetchResponsePartitions().setPartitionIndex(0).setCommittedOffset(4)));
    }

    @Test
    void aCommitBeyondTheEndIsNoNegativeLag() throws Exception {
        groupOf("shop", Map.of(0, 40L));
        fake.answer(ListOffsetsRequestData.class, _ -> new ListOffsetsResponseData().setTopics(List.of(
                new ListOffsetsTopicResponse().setName("orders").setPartitions(
                        List.of(new ListOffsetsPartitionResponse().setPartitionIndex(0).setOffset(3))))));
        http.perform(get(CLUSTER + "/consumer-groups/shop/lags/orders/partitions/0")).andExpect(jsonPath("$.lag").value(
                0));
    }

    @Test
    void groupsAreListedAndADeadCoordinatorOnlyLeavesItsOwnOut() throws Exception {
        groupOf("shop", Map.of());
        fake.answer(ListGroupsRequestData.class, _ -> new ListGroupsResponseData()
                .setGroups(List.of(new ListGroupsResponseData.ListedGroup().setGroupId("shop"))));
        http.perform(get(CLUSTER + "/consumer-groups")).andExpect(jsonPath("$.data[0].consumer_group_id").value("shop"))
                .andExpect(jsonPath("$.data[0].state").value("PREPARING_REBALANCE"));
        fake.fail(ListGroupsRequestData.class, new IOException("127.0.0.1:9093 refused"));
        http.perform(get(CLUSTER + "/consumer-groups")).andExpect(status().isOk())
                .andExpect(jsonPath("$.data.length()").value(0));
    }

    @Test
    void whatAMemberReadsIsListedAndFoundOneByOne() throws Exception {
        var reads = ConsumerProtocol.serializeAssignment(new Assignment(List.of(new TopicPartition("orders", 1))));
        fake.answer(DescribeGroupsRequestData.class, _ -> new DescribeGroupsResponseData().setGroups(List.of(
                new DescribedGroup().setGroupId("shop").setGroupState("Stable").setProtocolType("consumer")
                        .setMembers(List.of(new DescribedGroupMember().setMemberId("m-1").setClientId("c")
                                .setMemberAssignment(Utils.toArray(reads)))))));
        var assignments = CLUSTER + "/consumer-groups/shop/consumers/m-1/assignments";
        http.perform(get(assignments)).andExpect(jsonPath("$.data.length()").value(1))
                .andExpect(jsonPath("$.data[0].metadata.self").value("http://millrace.test" + assignments
                        + "/orders/partitions/1"));
        http.perform(get(assignments + "/orders/partitions/1")).andExpect(status().isOk())
                .andExpect(jsonPath("$.kind").value("KafkaConsumerAssignment"))
                .andExpect(jsonPath("$.lag.related").value(SELF + "/consumer-groups/shop/lags/orders/partitions/1"));
        http.perform(get(assignments + "/orders/partitions/0")).andExpect(status().isNotFound());
    }

    @Test
    void aGroupNobodyKnowsIsNotFound() throws Exception {
        fake.answer(DescribeGroupsRequestData.class, request -> new DescribeGroupsResponseData().setGroups(
                List.of(new DescribedGroup().setGroupId(request.groups().getFirst()).setGroupState("Dead"))));
        http.perform(get(CLUSTER + "/consumer-groups/none")).andExpect(status().isNotFound())
                .andExpect(jsonPath("$.error_code").value(404));
    }

    @Test
    void aGroupWithMembersIsNotDeleted() throws Exception {
        fake.answer(DeleteGroupsRequestData.class, request -> {
            var results = new DeletableGroupResultCollection();
            results.add(new DeletableGroupResult().setGroupId(request.groupsNames().getFirst())
                    .setErrorCode(Errors.NON_EMPTY_GROUP.code()));
            return new DeleteGroupsResponseData().setResults(results);
        });
        http.perform(delete(CLUSTER + "/consumer-groups/shop")).andExpect(status().isConflict())
                .andExpect(jsonPath("$.error_code").value(40902));
    }

    @Test
    void failuresSayTheirKindAndNeverTheirText() throws Exception {
        fake.fail(DescribeGroupsRequestData.class, new IOException("secret"));
        http.perform(get(CLUSTER + "/consumer-groups/shop")).andExpect(status().isServiceUnavailable())
                .andExpect(jsonPath("$.error_code").value(50302));
        fake.fail(DescribeGroupsRequestData.class, new TimeoutException("secret"));
        http.perform(get(CLUSTER + "/consumer-groups/shop")).andExpect(status().isGatewayTimeout())
                .andExpect(jsonPath("$.error_code").value(50401));
        fake.fail(DescribeGroupsRequestData.class, new IllegalStateException("secret"));
        var body = http.perform(get(CLUSTER + "/consumer-groups/shop")).andExpect(status().isInternalServerError())
                .andReturn().getResponse().getContentAsString();
        assertThat(body).contains("\"error_code\":500").doesNotContain("secret");
    }

    @Test
    void theDocumentNamesPropertiesAsTheAnswersDo() throws Exception {
        http.perform(get("/openapi")).andExpect(status().isOk())
                .andExpect(content().contentTypeCompatibleWith(MediaType.APPLICATION_JSON))
                .andExpect(jsonPath("$.openapi").value(org.hamcrest.Matchers.startsWith("3.")))
                .andExpect(jsonPath("$.components.schemas.CreateTopicRequest.properties.partitions_count").exists())
                .andExpect(jsonPath("$.paths['/v3/clusters/{clusterId}/topics'].post").exists());
        http.perform(get("/swagger-ui")).andExpect(status().is3xxRedirection());
    }

    @Test
    void everyOperationOfTheDocumentSaysWhatItIsHowItFailsAndWhatToTryItWith() throws Exception {
        var document = new JsonMapper().readTree(http.perform(get("/openapi")).andReturn().getResponse()
                .getContentAsString());
        var ids = new HashSet<String>();
        for (var path : document.path("paths").properties()) {
            for (var method : path.getValue().properties()) {
                var operation = method.getValue();
                assertThat(operation.path("summary").asString()).as(path.getKey()).isNotBlank();
                assertThat(ids.add(operation.path("operationId").asString())).as(operation.toString()).isTrue();
                assertThat(operation.path("operationId").asString()).doesNotContain("_");
                assertThat(operation.path("responses").propertyNames()).contains("400", "404", "500", "503", "504")
                        .anyMatch(status -> status.startsWith("2"));
                assertThat(operation.path("responses").path("404").path("$ref").asString())
                        .isEqualTo("#/components/responses/NotFound");
            }
        }
        assertThat(ids).contains("topicCreate", "consumerGroupList");
        var failure = document.path("components").path("responses").path("NotFound").path("content")
                .path("application/json");
        assertThat(failure.path("schema").path("$ref").asString()).isEqualTo("#/components/schemas/ErrorBody");
        assertThat(failure.path("example").path("error_code").asInt()).isEqualTo(40403);
        assertThat(document.path("components").path("schemas").path("ErrorBody").path("properties").propertyNames())
                .containsExactlyInAnyOrder("error_code", "message");
        assertThat(document.path("paths").path("/v3/clusters/{clusterId}").path("get").path("parameters").path(0)
                .path("example").asString()).isEqualTo(FakeCluster.ID);
    }

    private void groupOf(String id, Map<Integer, Long> committed) {
        fake.answer(DescribeGroupsRequestData.class, _ -> new DescribeGroupsResponseData().setGroups(List.of(
                new DescribedGroup().setGroupId(id).setGroupState("PreparingRebalance").setProtocolType("consumer"))));
        fake.answer(OffsetFetchRequestData.class, _ -> new OffsetFetchResponseData().setGroups(
                List.of(new OffsetFetchResponseGroup().setGroupId(id).setTopics(List.of(new OffsetFetchResponseTopics()
                        .setName("orders")
                        .setPartitions(committed.entrySet().stream()
                                .map(entry -> new OffsetFetchResponsePartitions().setPartitionIndex(entry.getKey())
                                        .setCommittedOffset(entry.getValue()))
                                .toList()))))));
    }
}
