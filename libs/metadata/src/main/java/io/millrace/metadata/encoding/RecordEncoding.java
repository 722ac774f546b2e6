package io.millrace.metadata.encoding;

import java.util.ArrayList;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.record.Delta;
import io.millrace.metadata.record.MetadataRecord;
import io.millrace.metadata.record.MetadataRecord.ClusterIdentified;
import io.millrace.metadata.record.MetadataRecord.ConfigPut;
import io.millrace.metadata.record.MetadataRecord.ControllerElected;
import io.millrace.metadata.record.MetadataRecord.NodePut;
import io.millrace.metadata.record.MetadataRecord.NodeRemoved;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;
import io.millrace.metadata.record.MetadataRecord.ShardPut;
import io.millrace.metadata.record.MetadataRecord.TopicPut;
import io.millrace.metadata.record.MetadataRecord.TopicRemoved;
import io.millrace.metadata.record.Snapshot;
import org.jspecify.annotations.Nullable;

/// Versions, snapshots and deltas as messages. Reading throws [MalformedMessage] where the bytes do not fit.
public final class RecordEncoding {
    private RecordEncoding() {}

    /// The fields of a `Version`.
    public static Consumer<Writer> version(MetadataVersion version) {
        return out -> out.number(1, version.controllerEpoch()).number(2, version.sequence());
    }

    /// Reads a `Version`.
    public static MetadataVersion version(Reader in) {
        int epoch = 0;
        long sequence = 0;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> epoch = in.number();
                case 2 -> sequence = in.longNumber();
                default -> in.skip();
            }
        }
        return new MetadataVersion(epoch, sequence);
    }

    /// The fields of a `Snapshot`.
    public static Consumer<Writer> snapshot(Snapshot snapshot) {
        return out -> {
            out.nested(1, version(snapshot.version()));
            snapshot.records().forEach(record -> out.nested(2, record(record)));
        };
    }

    /// Reads a `Snapshot`.
    public static Snapshot snapshot(Reader in) {
        var version = MetadataVersion.NONE;
        var records = new ArrayList<MetadataRecord>();
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> version = in.nested(RecordEncoding::version);
                case 2 -> in.nested(RecordEncoding::record).ifPresent(records::add);
                default -> in.skip();
            }
        }
        return new Snapshot(version, records);
    }

    /// The fields of a `Delta`.
    public static Consumer<Writer> delta(Delta delta) {
        return out -> {
            out.nested(1, version(delta.from())).nested(2, version(delta.to()));
            delta.records().forEach(record -> out.nested(3, record(record)));
        };
    }

    /// Reads a `Delta`.
    public static Delta delta(Reader in) {
        var from = MetadataVersion.NONE;
        var to = MetadataVersion.NONE;
        var records = new ArrayList<MetadataRecord>();
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> from = in.nested(RecordEncoding::version);
                case 2 -> to = in.nested(RecordEncoding::version);
                case 3 -> in.nested(RecordEncoding::record).ifPresent(records::add);
                default -> in.skip();
            }
        }
        if (to.compareTo(from) <= 0) {
            throw new MalformedMessage("delta from " + from + " back to " + to);
        }
        return new Delta(from, to, records);
    }

    private static Consumer<Writer> record(MetadataRecord record) {
        return switch (record) {
            case ClusterIdentified identified -> out -> out.nested(1, in -> in.text(1, identified.clusterId()));
            case ControllerElected elected ->
                out -> out.nested(2, in -> in.signed(1, elected.id()).number(2, elected.epoch()));
            case NodePut put -> out -> out.nested(3, NodeEncoding.node(put.node()));
            case NodeRemoved gone ->
                out -> out.nested(4, in -> in.oneOf(1, Numbers.ROLES, gone.role()).signed(2, gone.id()));
            case TopicPut put -> out -> out.nested(5, in -> in.text(1, put.name()).id(2, put.id()));
            case PartitionPut put -> out -> out.nested(6, PartitionEncoding.partition(put));
            case TopicRemoved gone -> out -> out.nested(7, in -> in.id(1, gone.id()));
            case ConfigPut put -> out -> out.nested(8, ConfigEncoding.config(put));
            case ShardPut put -> out -> out.nested(9, in -> in.number(1, put.shard().shard())
                    .signed(2, put.shard().owner())
                    .number(3, put.shard().epoch())
                    .oneOf(4, Numbers.SHARD_KINDS, put.kind())
                    .number(5, put.shard().successor() - ShardImage.NO_OWNER));
        };
    }

    /// Empty where it is of a kind, or about something of a kind, that is unknown here.
    private static Optional<MetadataRecord> record(Reader in) {
        MetadataRecord record = null;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> record = in.nested(RecordEncoding::identified);
                case 2 -> record = in.nested(RecordEncoding::elected);
                case 3 -> record = in.nested(NodeEncoding::node);
                case 4 -> record = in.nested(RecordEncoding::nodeRemoved);
                case 5 -> record = in.nested(RecordEncoding::topic);
                case 6 -> record = in.nested(PartitionEncoding::partition);
                case 7 -> record = in.nested(RecordEncoding::topicRemoved);
                case 8 -> record = in.nested(ConfigEncoding::config);
                case 9 -> record = in.nested(RecordEncoding::shard);
                default -> in.skip();
            }
        }
        return Optional.ofNullable(record);
    }

    private static ClusterIdentified identified(Reader in) {
        var id = "";
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> id = in.text();
                default -> in.skip();
            }
        }
        return new ClusterIdentified(id);
    }

    private static ControllerElected elected(Reader in) {
        int id = 0;
        int epoch = 0;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> id = in.signed();
                case 2 -> epoch = in.number();
                default -> in.skip();
            }
        }
        return new ControllerElected(id, epoch);
    }

    private static @Nullable NodeRemoved nodeRemoved(Reader in) {
        Role role = null;
        int id = 0;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> role = in.oneOf(Numbers.ROLES);
                case 2 -> id = in.signed();
                default -> in.skip();
            }
        }
        return role == null ? null : new NodeRemoved(role, id);
    }

    private static TopicPut topic(Reader in) {
        String name = null;
        UUID id = null;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> name = in.text();
                case 2 -> id = in.id();
                default -> in.skip();
            }
        }
        return new TopicPut(required(name, "name"), required(id, "id"));
    }

    private static TopicRemoved topicRemoved(Reader in) {
        UUID id = null;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> id = in.id();
                default -> in.skip();
            }
        }
        return new TopicRemoved(required(id, "id"));
    }

    private static @Nullable ShardPut shard(Reader in) {
        int shard = 0;
        int owner = 0;
        int epoch = 0;
        int successor = ShardImage.NO_OWNER;
        ShardKind kind = ShardKind.GROUP;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> shard = in.number();
                case 2 -> owner = in.signed();
                case 3 -> epoch = in.number();
                case 4 -> kind = in.oneOf(Numbers.SHARD_KINDS);
                case 5 -> successor = in.number() + ShardImage.NO_OWNER;
                default -> in.skip();
            }
        }
        return kind == null ? null : new ShardPut(kind, new ShardImage(shard, owner, epoch, successor));
    }

    static <T> T required(@Nullable T value, String name) {
        if (value == null) {
            throw new MalformedMessage("message without " + name);
        }
        return value;
    }
}
