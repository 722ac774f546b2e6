package io.millrace.admin.group;

import java.util.List;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// @param to where to go on
/// @param topics which; null: all that the group has offsets of
/// @param preview only say what would change; true where it is left out
/// @param force send members away first
@Schema(example = """
        {"to": "earliest", "topics": [{"topic": "orders"}], "preview": true}""")
record ResetRequest(@NotNull @Schema(types = {
        "string", "object"}) JsonNode to,
        @Nullable @Size(max = 1_000) List<@NotNull @Valid Scope> topics,
        @Nullable Boolean preview, @Nullable Boolean force) {

    /// @param partitions null: all of them
    record Scope(@NotBlank @Size(max = 249) String topic,
            @Nullable @Size(max = 10_000) List<@NotNull Integer> partitions) {}

    boolean onlyPreviewed() {
        return !Boolean.FALSE.equals(preview);
    }
}
