package io.millrace.metadata.znode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.millrace.metadata.image.ShardImage;

/// `/services/shards/<kind>`: who coordinates which shard of that kind, so that epochs never go back.
/// `{"version":1,"shards":{"0":{"owner":1000,"epoch":3}}}`
///
/// @param shards by number
public record ShardsNode(List<ShardImage> shards) {
    public ShardsNode {
        shards = shards.stream().sorted(Comparator.comparingInt(ShardImage::shard)).toList();
    }

    /// No shard where the node is without data.
    ///
    /// @throws MalformedZnode where it cannot be read
    public static ShardsNode parse(String json) {
        var shards = new ArrayList<ShardImage>();
        if (!json.isBlank()) {
            Fields.of("shards", json).objectsOf("shards").forEach((shard, fields) -> shards
                    .add(new ShardImage(shard, fields.intOf("owner"), fields.intOf("epoch"))));
        }
        return new ShardsNode(shards);
    }

    /// As it is stored.
    public String json() {
        var object = Fields.object().put("version", 1);
        var inner = object.putObject("shards");
        shards.forEach(shard -> inner.putObject(Integer.toString(shard.shard()))
                .put("owner", shard.owner())
                .put("epoch", shard.epoch()));
        return Fields.write(object, Map.of());
    }
}
