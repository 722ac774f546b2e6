package io.millrace.admin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.millrace.admin.problem.ErrorBody;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.tags.Tag;
import lombok.RequiredArgsConstructor;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.web.method.HandlerMethod;

/// What all operations of the OpenAPI document have in common, said once: how they fail, what their ids are, and values
/// of their parameters to try them with.
@RequiredArgsConstructor
class ApiDocument implements OpenApiCustomizer, OperationCustomizer {
    private static final String ERROR = "#/components/schemas/ErrorBody";
    /// Name of each failure that any call may end with, by its status.
    private static final Map<String, String> FAILURES = Map.of("400", "BadRequest", "404", "NotFound", "500",
            "InternalError", "503", "Unavailable", "504", "TimedOut");
    private static final Map<String, Object> EXAMPLES = Map.of("topicName", "orders", "partitionId", 0, "brokerId", 0,
            "groupId", "shop");

    private static final int LONGEST_KEY = 255;

    private final Supplier<String> clusterId;

    /// The document before anything is known of the operations.
    static OpenAPI empty() {
        return new OpenAPI().info(new Info().title("Millrace admin API").version("v3")
                .description("""
                        Everything of a Millrace cluster, in the shape of \
                        Confluent's REST API v3. `GET /v3/clusters` tells the id that every other path begins with.""")
                .license(new License().name("Apache-2.0").url("https://www.apache.org/licenses/LICENSE-2.0")))
                .tags(List.of(tag("Clusters", "The cluster, its controller and its processes"),
                        tag("Topics", "List, create, describe, grow, delete"),
                        tag("Configs", "Settings of topics and brokers, and where each value comes from"),
                        tag("Partitions", "Leaders, replicas and offsets"),
                        tag("Records", "Browse, follow, write and delete records"),
                        tag("Reassignments", "Move partitions to other brokers, and call moves off"),
                        tag("Operations", "Long work: seen, slowed, paused, called off"),
                        tag("Balance", "How evenly brokers are loaded, and proposals to make it better"),
                        tag("Leader elections", "Give partitions back to their preferred leaders"),
                        tag("Consumer groups", "Members, what they read, and how far they are behind"),
                        tag("Brokers", "Brokers and what lies on them")));
    }

    private static Tag tag(String name, String description) {
        return new Tag().name(name).description(description);
    }

    /// `TopicController.list` is `topicList`: unique, and the same in every build.
    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        var room = handler.getBeanType().getSimpleName().replaceFirst("Controller$", "");
        var method = handler.getMethod().getName();
        return operation.operationId(Character.toLowerCase(room.charAt(0)) + room.substring(1)
                + Character.toUpperCase(method.charAt(0)) + method.substring(1));
    }

    @Override
    public void customise(OpenAPI document) {
        describeFailures(document.getComponents());
        document.getPaths().forEach((path, item) -> item.readOperationsMap().forEach((method, operation) -> {
            nameByPath(path, operation);
            if (method != PathItem.HttpMethod.GET) {
                operation.addParametersItem(new HeaderParameter().name("Idempotency-Key").schema(new StringSchema()
                        .maxLength(LONGEST_KEY)).description("The same write under the same key is done once and "
                                + "answered the same for a day, by whichever instance"));
                refuse(operation, "409", "Conflict");
            }
            FAILURES.forEach((status, name) -> operation.getResponses()
                    .addApiResponse(status, new ApiResponse().$ref("#/components/responses/" + name)));
            refusals(operation);
            if (operation.getParameters() != null) {
                operation.getParameters().forEach(parameter -> addExample(path, parameter));
            }
        }));
    }

    /// What follows from what an operation takes.
    private static void refusals(Operation operation) {
        if (operation.getRequestBody() != null) {
            refuse(operation, "415", "UnsupportedMedia");
        }
        if (operation.getParameters() != null && operation.getParameters().stream().anyMatch(parameter -> parameter
                .getName().equals("If-Match"))) {
            refuse(operation, "412", "Stale");
        }
    }

    private static void refuse(Operation operation, String status, String name) {
        operation.getResponses().putIfAbsent(status, new ApiResponse().$ref("#/components/responses/" + name));
    }

    /// A method that is found under two paths is two operations, each with a name of its own.
    private static void nameByPath(String path, Operation operation) {
        var id = operation.getOperationId().replaceAll("_\\d+$", "");
        operation.setOperationId(path.endsWith("/reassignments/{operationId}")
                ? "reassignment" + Character.toUpperCase(id
                        .charAt(0)) + id.substring(1)
                : id);
    }

    private void addExample(String path, Parameter parameter) {
        switch (parameter.getName()) {
            case "clusterId" -> parameter.setExample(clusterId.get());
            case "name" -> parameter.setExample(path.contains("/topics/") ? "retention.ms" : "log.retention.hours");
            case String other -> {
                if (EXAMPLES.containsKey(other)) {
                    parameter.setExample(EXAMPLES.get(other));
                }
            }
        }
    }

    private static void describeFailures(Components components) {
        ModelConverters.getInstance(true).read(ErrorBody.class).forEach(components::addSchemas);
        components.addResponses("BadRequest", failure(40002, "Topic 'orders' already exists.",
                "The request cannot be right (400), or Kafka's rules refuse it (40002)"));
        components.addResponses("NotFound", failure(40403, "Topic orders cannot be found.",
                "No such topic or partition (40403), or nothing else of that name (404)"));
        components.addResponses("Conflict", failure(40902, "The group is not empty.",
                "The state of the resource stands against it, and it may succeed later; or `Idempotency-Key` is that of "
                        + "another request, or of one that is under way"));
        components.addResponses("Gone", failure(410, "event 7 is too old, or of another run of this service",
                "What was asked for is not kept any more"));
        components.addResponses("UnsupportedMedia", failure(415, "Content-Type 'text/plain' is not supported.",
                "Another `Content-Type` than JSON"));
        components.addResponses("TooLarge", failure(413,
                "The request included a message larger than the max message size "
                        + "the server will accept.", "More bytes than are taken at once"));
        components.addResponses("Unprocessable", failure(422, "value is not base64",
                "Data that are not of their type"));
        components.addResponses("Stale", failure(41201, "The configuration of orders has changed meanwhile.",
                "`If-Match` named another state than there is"));
        components.addResponses("InternalError", failure(50002,
                "Disk error when trying to access log file on the disk.",
                "Kafka's error (50002), one that may pass by itself (50003), or a fault of this service (500)"));
        components.addResponses("Unavailable", failure(50302, "a node of the cluster cannot be reached",
                "No broker or coordinator that could answer (50302), or no active controller (50303)"));
        components.addResponses("TimedOut", failure(50401, "no answer in time; whether it took effect is not known",
                "No answer in time; whether it took effect is not known"));
    }

    private static ApiResponse failure(int code, String message, String description) {
        var example = new LinkedHashMap<String, Object>();
        example.put("error_code", code);
        example.put("message", message);
        return new ApiResponse().description(description).content(new Content().addMediaType("application/json",
                new MediaType().schema(new Schema<>().$ref(ERROR)).example(example)));
    }
}
