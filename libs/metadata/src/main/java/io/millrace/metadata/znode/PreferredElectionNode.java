package io.millrace.metadata.znode;

import java.util.List;

/// `/admin/preferred_replica_election`: partitions that an old tool wants back at their preferred leaders. Such tools take
/// its absence for the end of the election.
///
/// @param partitions in the order written
public record PreferredElectionNode(List<Entry> partitions) {
    public PreferredElectionNode {
        partitions = List.copyOf(partitions);
    }

    /// @param topic its name
    public record Entry(String topic, int partition) {}

    /// @throws MalformedZnode where it cannot be read
    public static PreferredElectionNode parse(String json) {
        return new PreferredElectionNode(Fields.of("preferred election", json)
                .eachOf("partitions")
                .stream()
                .map(entry -> new Entry(entry.textOf("topic"), entry.intOf("partition")))
                .toList());
    }

    /// As old tools write it.
    public String json() {
        var object = Fields.object().put("version", 1);
        var array = object.putArray("partitions");
        partitions.forEach(entry -> array.addObject().put("topic", entry.topic()).put("partition", entry.partition()));
        return object.toString();
    }
}
