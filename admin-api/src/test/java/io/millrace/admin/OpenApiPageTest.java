package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// `docs/openapi.yaml` is what a running service says of itself.
class OpenApiPageTest extends Rest {
    private static final Path PAGE = Path.of("").toAbsolutePath().resolve("../docs/openapi.yaml").normalize();

    @Test
    void committedDocumentIsTheRunningOne() throws Exception {
        var running = http.perform(request("GET", "/openapi.yaml")).andReturn().getResponse().getContentAsString(
                StandardCharsets.UTF_8).replace(FakeCluster.ID, "CLUSTER_ID");
        var made = Path.of("target/openapi.yaml");
        Files.createDirectories(made.getParent());
        Files.writeString(made, running);

        assertThat(committed()).as("docs/openapi.yaml is not up to date; %s is", made.toAbsolutePath()).isEqualTo(
                running);
    }

    private static String committed() throws IOException {
        return Files.exists(PAGE) ? Files.readString(PAGE) : "";
    }

    @Test
    void everyBodyHasAnExampleThatIsOne() throws Exception {
        var document = new JsonMapper().readTree(http.perform(request("GET", "/openapi")).andReturn().getResponse()
                .getContentAsString());
        for (var path : document.path("paths").properties()) {
            for (var method : path.getValue().properties()) {
                var schema = method.getValue().path("requestBody").path("content").path("application/json").path(
                        "schema").path("$ref").asString("");
                if (!schema.isEmpty()) {
                    var found = document.at(schema.substring(1));
                    boolean inFields = found.path("properties").properties().stream().anyMatch(field -> field.getValue()
                            .has("example"));
                    assertThat(found.has("example") || inFields).as(schema).isTrue();
                }
            }
        }
    }

    @Test
    void everyReferenceLeadsSomewhereAndEveryOperationHasANameOfItsOwn() throws Exception {
        var document = new JsonMapper().readTree(http.perform(request("GET", "/openapi")).andReturn().getResponse()
                .getContentAsString());
        var references = document.findValuesAsString("$ref");
        assertThat(references).hasSizeGreaterThan(100).allSatisfy(reference -> assertThat(document.at(reference
                .substring(1)).isMissingNode()).as(reference).isFalse());
        assertThat(document.path("paths").findValuesAsString("operationId")).hasSizeGreaterThan(80)
                .doesNotHaveDuplicates();
    }
}
