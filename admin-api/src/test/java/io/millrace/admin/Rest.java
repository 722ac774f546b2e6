package io.millrace.admin;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.patch;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.put;

import java.time.Clock;
import java.time.Duration;

import io.millrace.admin.history.ConfigHistory;
import io.millrace.admin.operation.OperationStore;
import io.millrace.admin.operation.Operations;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Ensemble;
import io.millrace.admin.upstream.Moves;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;

/// The REST interface over a [FakeCluster]; all tests that extend this share one of each.
@SpringBootTest(classes = Rest.Application.class, properties = "millrace.admin.advertised-url=http://millrace.test/")
@AutoConfigureMockMvc
@TestPropertySource("classpath:io/millrace/admin/admin-api.properties")
abstract class Rest {
    static final String CLUSTER = "/v3/clusters/" + FakeCluster.ID;
    static final String SELF = "http://millrace.test" + CLUSTER;

    @Autowired
    MockMvc http;
    @Autowired
    FakeCluster fake;
    @Autowired
    FakeStore store;
    @Autowired
    FakeDocuments documents;

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(RestConfiguration.class)
    static class Application {
        @Bean
        FakeCluster fake() {
            return new FakeCluster();
        }

        @Bean
        FakeStore store() {
            return new FakeStore();
        }

        @Bean
        FakeDocuments documents() {
            return new FakeDocuments();
        }

        @Bean
        ConfigHistory history(FakeDocuments documents) {
            return new ConfigHistory(documents, Clock.systemUTC(), Runnable::run);
        }

        /// Nobody listens there.
        @Bean
        Ensemble ensemble() {
            return new Ensemble("127.0.0.1:1/root", Duration.ofSeconds(1));
        }

        /// Tests take operations further themselves.
        @Bean
        Operations operations(OperationStore store, Moves moves) {
            return new Operations(store, moves, Clock.systemUTC(), () -> {});
        }

        @Bean
        Cluster cluster(FakeCluster fake) {
            return fake.cluster();
        }
    }

    @BeforeEach
    void reset() {
        fake.reset();
        store.reset();
        documents.reset();
        noGroupIsOfTheNewProtocol();
    }

    private void noGroupIsOfTheNewProtocol() {
        fake.answer(ConsumerGroupDescribeRequestData.class, request -> new ConsumerGroupDescribeResponseData()
                .setGroups(request.groupIds().stream().map(id -> new DescribedGroup().setGroupId(id)
                        .setErrorCode(Errors.GROUP_ID_NOT_FOUND.code())).toList()));
    }

    /// `GET`, `DELETE`, or another verb with a JSON body, of what is below the cluster.
    ResultActions call(String verb, String path, String... body) throws Exception {
        return http.perform(request(verb, CLUSTER + path, body));
    }

    static MockHttpServletRequestBuilder request(String verb, String url, String... body) {
        var request = switch (verb) {
            case "GET" -> get(java.net.URI.create(url));
            case "POST" -> post(java.net.URI.create(url));
            case "PUT" -> put(java.net.URI.create(url));
            case "PATCH" -> patch(java.net.URI.create(url));
            case "DELETE" -> delete(java.net.URI.create(url));
            case String other -> throw new IllegalArgumentException(other);
        };
        return body.length == 0 ? request : request.contentType(MediaType.APPLICATION_JSON).content(body[0]);
    }
}
