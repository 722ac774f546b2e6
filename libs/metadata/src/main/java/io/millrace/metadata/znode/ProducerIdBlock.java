package io.millrace.metadata.znode;

import java.util.Map;
import java.util.Optional;

/// `/latest_producer_id_block`: the last block of producer ids that was given out.
///
/// @param broker node that it was given to
/// @param first id of the block, stored as a string
/// @param last id of the block, stored as a string
public record ProducerIdBlock(int broker, long first, long last) {
    /// Ids in a block.
    public static final int SIZE = 1000;

    /// Empty where the node is without data, as it is before the first block.
    ///
    /// @throws MalformedZnode where it cannot be read
    public static Optional<ProducerIdBlock> parse(String json) {
        if (json.isBlank()) {
            return Optional.empty();
        }
        var fields = Fields.of("producer id block", json);
        return Optional.of(new ProducerIdBlock(fields.intOf("broker"), fields.longOf("block_start"),
                fields.longOf("block_end")));
    }

    /// The block after this one, for that node.
    public ProducerIdBlock next(int node) {
        return new ProducerIdBlock(node, last + 1, last + SIZE);
    }

    /// The first block of a cluster, for that node.
    public static ProducerIdBlock initial(int node) {
        return new ProducerIdBlock(node, 0, SIZE - 1);
    }

    /// As it is stored.
    public String json() {
        return Fields.write(Fields.object()
                .put("version", 1)
                .put("broker", broker)
                .put("block_start", Long.toString(first))
                .put("block_end", Long.toString(last)), Map.of());
    }
}
