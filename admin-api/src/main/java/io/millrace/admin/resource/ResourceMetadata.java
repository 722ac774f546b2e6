package io.millrace.admin.resource;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/// Who a resource is.
///
/// @param self its absolute URL
/// @param resourceName its name in Confluent's scheme, `crn:///kafka=…/topic=…`
public record ResourceMetadata(String self, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String resourceName) {}
