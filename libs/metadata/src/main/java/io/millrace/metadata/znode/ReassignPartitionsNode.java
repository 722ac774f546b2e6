package io.millrace.metadata.znode;

import java.util.List;

/// `/admin/reassign_partitions`: moves that an old tool asks for. What is left in it is still going on: such tools take its
/// absence for the end of all.
///
/// @param moves in the order written
public record ReassignPartitionsNode(List<Move> moves) {
    public ReassignPartitionsNode {
        moves = List.copyOf(moves);
    }

    /// @param replicas where that partition shall be, the preferred leader first
    public record Move(String topic, int partition, List<Integer> replicas) {
        public Move {
            replicas = List.copyOf(replicas);
        }
    }

    /// @throws MalformedZnode where it cannot be read
    public static ReassignPartitionsNode parse(String json) {
        return new ReassignPartitionsNode(Fields.of("reassignment", json)
                .eachOf("partitions")
                .stream()
                .map(move -> new Move(move.textOf("topic"), move.intOf("partition"), move.intsOf("replicas")))
                .toList());
    }

    /// As it is stored.
    public String json() {
        var object = Fields.object().put("version", 1);
        var array = object.putArray("partitions");
        for (var move : moves) {
            var entry = array.addObject().put("topic", move.topic()).put("partition", move.partition());
            move.replicas().forEach(entry.putArray("replicas")::add);
        }
        return object.toString();
    }
}
