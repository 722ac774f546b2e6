package io.millrace.metadata.encoding;

import java.util.HashMap;
import java.util.function.Consumer;

import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;
import io.millrace.metadata.record.MetadataRecord.ConfigPut;
import org.jspecify.annotations.Nullable;

/// What is set for a resource as a message.
final class ConfigEncoding {
    private ConfigEncoding() {}

    static Consumer<Writer> config(ConfigPut put) {
        return out -> {
            out.oneOf(1, Numbers.CONFIG_TYPES, put.resource().type()).text(2, put.resource().name());
            put.values().forEach((key, value) -> out.nested(3, entry -> entry.element(1, key).element(2, value)));
        };
    }

    /// Null where it is of a type that a later version added.
    static @Nullable ConfigPut config(Reader in) {
        ConfigType type = null;
        var name = "";
        var values = new HashMap<String, String>();
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> type = in.oneOf(Numbers.CONFIG_TYPES);
                case 2 -> name = in.text();
                case 3 -> in.nested(ConfigEncoding::entry).putInto(values);
                default -> in.skip();
            }
        }
        return type == null ? null : new ConfigPut(new ConfigResource(type, name), values);
    }

    private record Entry(String key, String value) {
        void putInto(HashMap<String, String> values) {
            values.put(key, value);
        }
    }

    private static Entry entry(Reader in) {
        var key = "";
        var value = "";
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> key = in.text();
                case 2 -> value = in.text();
                default -> in.skip();
            }
        }
        return new Entry(key, value);
    }
}
