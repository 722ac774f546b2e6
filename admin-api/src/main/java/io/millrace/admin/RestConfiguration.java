package io.millrace.admin;

import java.time.Clock;
import java.util.List;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.Tracer;
import io.millrace.admin.document.Documents;
import io.millrace.admin.drift.Baselines;
import io.millrace.admin.event.EventLog;
import io.millrace.admin.exchange.CallFilter;
import io.millrace.admin.exchange.EventStreams;
import io.millrace.admin.exchange.FreshnessFilter;
import io.millrace.admin.exchange.JsonErrorValve;
import io.millrace.admin.exchange.RepeatFilter;
import io.millrace.admin.exchange.Repeats;
import io.millrace.admin.operation.CopyProgress;
import io.millrace.admin.operation.Errands;
import io.millrace.admin.operation.OperationRunner;
import io.millrace.admin.operation.OperationStore;
import io.millrace.admin.operation.OperationViews;
import io.millrace.admin.operation.Operations;
import io.millrace.admin.plan.FactorChanges;
import io.millrace.admin.plan.Plans;
import io.millrace.admin.resource.Links;
import io.millrace.admin.transaction.HangingTransactions;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Deletions;
import io.millrace.admin.upstream.EmptyGroups;
import io.millrace.admin.upstream.Fetches;
import io.millrace.admin.upstream.GroupOffsets;
import io.millrace.admin.upstream.Groups;
import io.millrace.admin.upstream.LagAges;
import io.millrace.admin.upstream.LogDirs;
import io.millrace.admin.upstream.Moves;
import io.millrace.admin.upstream.NodeHttp;
import io.millrace.admin.upstream.Offsets;
import io.millrace.admin.upstream.OpenTransactions;
import io.millrace.admin.upstream.Produces;
import io.millrace.admin.upstream.ReplicaFacts;
import io.millrace.admin.upstream.TopicCommits;
import io.millrace.admin.upstream.Transactions;
import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.oas.models.OpenAPI;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.HandlerExceptionResolver;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/// The REST interface over a [Cluster]: every resource's controller, the problem bodies, the OpenAPI document.
@Configuration(proxyBeanMethods = false)
@ComponentScan(useDefaultFilters = false, includeFilters = @Filter({Controller.class, ControllerAdvice.class}))
@EnableConfigurationProperties(AdminProperties.class)
class RestConfiguration {

    @Bean
    Links links(AdminProperties properties) {
        return new Links(properties.advertisedUrl());
    }

    @Bean
    Offsets offsets(Cluster cluster) {
        return new Offsets(cluster);
    }

    @Bean
    Fetches fetches(Cluster cluster) {
        return new Fetches(cluster);
    }

    @Bean
    Produces produces(Cluster cluster) {
        return new Produces(cluster);
    }

    @Bean
    Deletions deletions(Cluster cluster) {
        return new Deletions(cluster);
    }

    @Bean
    EventStreams eventStreams(JsonMapper json) {
        return new EventStreams(json);
    }

    @Bean
    EventLog eventLog() {
        return new EventLog(Clock.systemUTC());
    }

    @Bean
    LogDirs logDirs(Cluster cluster) {
        return new LogDirs(cluster);
    }

    @Bean
    GroupOffsets groupOffsets(Cluster cluster, Groups groups) {
        return new GroupOffsets(cluster, groups);
    }

    @Bean
    LagAges lagAges(Fetches fetches) {
        return new LagAges(fetches, Clock.systemUTC());
    }

    @Bean
    Plans plans(Documents documents) {
        return new Plans(documents, Clock.systemUTC());
    }

    @Bean
    Baselines baselines(Documents documents) {
        return new Baselines(documents);
    }

    @Bean
    CopyProgress copyProgress(LogDirs directories) {
        return new CopyProgress(directories, Clock.systemUTC());
    }

    @Bean
    OperationRunner operationRunner(Cluster cluster, Moves moves, OperationStore store, Errands errands) {
        return new OperationRunner(cluster, moves, store, errands, Clock.systemUTC());
    }

    @Bean
    Errands errands(Cluster cluster, LogDirs directories) {
        return new Errands(cluster, directories);
    }

    @Bean
    OperationViews operationViews(Cluster cluster, CopyProgress copies, Links links) {
        return new OperationViews(cluster, copies, links, Clock.systemUTC());
    }

    @Bean
    Moves moves(Cluster cluster) {
        return new Moves(cluster);
    }

    @Bean
    ReplicaFacts replicaFacts(Cluster cluster) {
        return new ReplicaFacts(cluster);
    }

    @Bean
    NodeHttp nodeHttp() {
        return new NodeHttp();
    }

    @Bean
    Transactions transactions(Cluster cluster) {
        return new Transactions(cluster);
    }

    @Bean
    OpenTransactions openTransactions(Cluster cluster, Transactions transactions) {
        return new OpenTransactions(cluster, transactions);
    }

    @Bean
    HangingTransactions hangingTransactions(Cluster cluster, OpenTransactions open, EventLog events,
            MeterRegistry meters) {
        return new HangingTransactions(cluster, open, events, meters);
    }

    @Bean
    FactorChanges factorChanges(Cluster cluster, LogDirs directories, Operations operations) {
        return new FactorChanges(cluster, directories, operations);
    }

    @Bean
    TopicCommits topicCommits(Cluster cluster, Groups groups) {
        return new TopicCommits(cluster, groups);
    }

    @Bean
    EmptyGroups emptyGroups(Cluster cluster) {
        return new EmptyGroups(cluster);
    }

    @Bean
    Groups groups(Cluster cluster) {
        return new Groups(cluster);
    }

    @Bean
    OpenAPI openApi() {
        return ApiDocument.empty();
    }

    @Bean
    ApiDocument apiDocument(Cluster cluster) {
        return new ApiDocument(() -> cluster.image().clusterId());
    }

    @Bean
    ConfluentPathAlias confluentPathAlias() {
        return new ConfluentPathAlias();
    }

    /// The document is made by a JSON mapper of its own, which must name properties as the answers do.
    @Bean
    ModelResolver snakeCaseSchemas() {
        // Any JSON at all; and its own name would be that of a class of the generated clients' library.
        SpringDocUtils.getConfig().replaceWithClass(JsonNode.class, Object.class);
        return new ModelResolver(new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE));
    }

    /// A group may be named `a/b`: an encoded slash belongs to its segment of the path.
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> encodedSlashes() {
        return factory -> {
            factory.addConnectorCustomizers(connector -> connector.setEncodedSolidusHandling("passthrough"));
            factory.addContextCustomizers(context -> context.getParent().getPipeline().addValve(new JsonErrorValve()));
        };
    }

    @Bean
    CallFilter callFilter(Tracer tracer) {
        return new CallFilter(tracer);
    }

    @Bean
    FreshnessFilter freshnessFilter(Cluster cluster,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
        return new FreshnessFilter(cluster, problems);
    }

    @Bean
    RepeatFilter repeatFilter(Documents documents,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
        return new RepeatFilter(new Repeats(documents, Clock.systemUTC()), problems);
    }

    /// A text is no number, and a number no text: what was meant otherwise is refused.
    @Bean
    JsonMapperBuilderCustomizer strictInput() {
        return builder -> builder.disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .withCoercionConfig(LogicalType.Textual, config -> List.of(CoercionInputShape.Integer,
                        CoercionInputShape.Float, CoercionInputShape.Boolean).forEach(shape -> config.setCoercion(
                                shape, CoercionAction.Fail)));
    }
}
