package io.millrace.admin.record;

import java.util.List;

import io.millrace.admin.resource.ResourceList.ListMetadata;
import org.jspecify.annotations.Nullable;

/// Records that were found.
///
/// @param nextToken where to go on, as `page_token`; null where the end was reached
/// @param scanned how many records were looked at
/// @param unavailable partitions whose leader did not answer
record KafkaRecordPage(String kind, ListMetadata metadata, List<KafkaRecord> data, @Nullable String nextToken,
        long scanned, List<Integer> unavailable) {}
