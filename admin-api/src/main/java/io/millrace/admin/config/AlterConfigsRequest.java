package io.millrace.admin.config;

import java.util.List;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/// Changes of one configuration; all of them or none.
///
/// @param validateOnly check everything, change nothing
@Schema(example = """
        {"data": [{"name": "retention.ms", "value": "3600000"}, {"name": "segment.ms", "operation": "DELETE"}], \
        "validate_only": false}""")
record AlterConfigsRequest(@NotEmpty @Size(max = 1_000) List<@NotNull @Valid Change> data,
        @Nullable Boolean validateOnly) {

    /// @param value not used by `DELETE`
    /// @param operation null: `SET`
    record Change(@NotBlank @Size(max = 255) String name,
            @Nullable @Size(max = 32_768) String value, @Nullable Kind operation) {}

    enum Kind {
        SET, DELETE, APPEND, SUBTRACT
    }
}
