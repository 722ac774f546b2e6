package io.millrace.admin.config;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;

/// @param value as text, whatever its type
record SetConfigRequest(@NotNull @Size(max = 32_768) @Schema(example = "3600000") String value) {}
