package io.millrace.wire.api;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.protocol.ApiKeys;

/// The APIs and versions that every node advertises: one table, since clients may use what one node told them on another.
public final class VersionTable {

    /// What Millrace speaks: of each API all versions that the message classes know and Kafka calls stable.
    public static final VersionTable MILLRACE = of(
            ApiKeys.PRODUCE,
            ApiKeys.FETCH,
            ApiKeys.LIST_OFFSETS,
            ApiKeys.METADATA,
            ApiKeys.OFFSET_COMMIT,
            ApiKeys.OFFSET_FETCH,
            ApiKeys.FIND_COORDINATOR,
            ApiKeys.JOIN_GROUP,
            ApiKeys.HEARTBEAT,
            ApiKeys.LEAVE_GROUP,
            ApiKeys.SYNC_GROUP,
            ApiKeys.DESCRIBE_GROUPS,
            ApiKeys.LIST_GROUPS,
            ApiKeys.API_VERSIONS,
            ApiKeys.CREATE_TOPICS,
            ApiKeys.DELETE_TOPICS,
            ApiKeys.DELETE_RECORDS,
            ApiKeys.INIT_PRODUCER_ID,
            ApiKeys.OFFSET_FOR_LEADER_EPOCH,
            ApiKeys.ADD_PARTITIONS_TO_TXN,
            ApiKeys.ADD_OFFSETS_TO_TXN,
            ApiKeys.END_TXN,
            ApiKeys.WRITE_TXN_MARKERS,
            ApiKeys.TXN_OFFSET_COMMIT,
            ApiKeys.DESCRIBE_CONFIGS,
            ApiKeys.ALTER_CONFIGS,
            ApiKeys.ALTER_REPLICA_LOG_DIRS,
            ApiKeys.DESCRIBE_LOG_DIRS,
            ApiKeys.CREATE_PARTITIONS,
            ApiKeys.DELETE_GROUPS,
            ApiKeys.ELECT_LEADERS,
            ApiKeys.INCREMENTAL_ALTER_CONFIGS,
            ApiKeys.ALTER_PARTITION_REASSIGNMENTS,
            ApiKeys.LIST_PARTITION_REASSIGNMENTS,
            ApiKeys.OFFSET_DELETE,
            ApiKeys.DESCRIBE_CLUSTER,
            ApiKeys.DESCRIBE_PRODUCERS,
            ApiKeys.DESCRIBE_TRANSACTIONS,
            ApiKeys.LIST_TRANSACTIONS,
            ApiKeys.CONSUMER_GROUP_HEARTBEAT,
            ApiKeys.CONSUMER_GROUP_DESCRIBE,
            ApiKeys.DESCRIBE_TOPIC_PARTITIONS);

    /// Versions of one API.
    ///
    /// @param listedFrom lowest version told to clients
    /// @param min lowest version answered
    /// @param max highest version told and answered
    public record Range(short listedFrom, short min, short max) {
        public boolean answers(short version) {
            return min <= version && version <= max;
        }
    }

    private final Map<ApiKeys, Range> ranges;

    private VersionTable(Map<ApiKeys, Range> ranges) {
        this.ranges = Collections.unmodifiableMap(ranges);
    }

    static VersionTable of(ApiKeys... apis) {
        var ranges = new EnumMap<ApiKeys, Range>(ApiKeys.class);
        for (var api : apis) {
            ranges.put(api, new Range(listedFrom(api), api.oldestVersion(), api.latestVersion(false)));
        }
        return new VersionTable(ranges);
    }

    /// librdkafka drops compression codecs unless Produce is listed from 0 (KAFKA-18659); Kafka 4 lists it so too.
    private static short listedFrom(ApiKeys api) {
        return api == ApiKeys.PRODUCE ? ApiKeys.PRODUCE_API_VERSIONS_RESPONSE_MIN_VERSION : api.oldestVersion();
    }

    public Set<ApiKeys> apis() {
        return ranges.keySet();
    }

    /// Whether a request of `api` in `version` is answered.
    public boolean answers(ApiKeys api, short version) {
        var range = ranges.get(api);
        return range != null && range.answers(version);
    }

    /// @throws IllegalArgumentException where `api` is not of this table
    public Range range(ApiKeys api) {
        var range = ranges.get(api);
        if (range == null) {
            throw new IllegalArgumentException("not offered: " + api);
        }
        return range;
    }

    /// The table as ApiVersions tells it.
    ApiVersionCollection listed() {
        return listed(apis().toArray(ApiKeys[]::new));
    }

    /// These APIs' lines of it.
    ApiVersionCollection listed(ApiKeys... apis) {
        var listed = new ApiVersionCollection(apis.length);
        for (var api : apis) {
            var range = range(api);
            listed.add(new ApiVersion().setApiKey(api.id).setMinVersion(range.listedFrom()).setMaxVersion(range.max()));
        }
        return listed;
    }
}
