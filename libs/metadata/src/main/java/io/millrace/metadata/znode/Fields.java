package io.millrace.metadata.znode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The fields of a JSON znode. Numbers are also accepted as strings of digits, since tools of all ages write them.
final class Fields {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final String kind;
    private final ObjectNode object;

    private Fields(String kind, ObjectNode object) {
        this.kind = kind;
        this.object = object;
    }

    /// @param kind what it ought to be, for the message of the failure
    /// @throws MalformedZnode where it is not a JSON object
    static Fields of(String kind, String json) {
        try {
            if (MAPPER.readTree(json) instanceof ObjectNode object) {
                return new Fields(kind, object);
            }
        } catch (JacksonException failure) {
            throw new MalformedZnode(kind + " is no JSON: " + failure.getOriginalMessage());
        }
        throw new MalformedZnode(kind + " is no JSON object");
    }

    /// Starts an object that is to be written.
    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /// The text of `object`, followed by the fields of `others` that it does not have.
    static String write(ObjectNode object, Map<String, JsonNode> others) {
        others.forEach((name, value) -> {
            if (!object.has(name)) {
                object.set(name, value);
            }
        });
        return MAPPER.writeValueAsString(object);
    }

    boolean has(String name) {
        return object.hasNonNull(name);
    }

    int intOf(String name) {
        return Math.toIntExact(number(name, object.get(name), Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    int intOf(String name, int absent) {
        return has(name) ? intOf(name) : absent;
    }

    long longOf(String name) {
        return number(name, object.get(name), Long.MIN_VALUE, Long.MAX_VALUE);
    }

    String textOf(String name) {
        return text(name, object.get(name));
    }

    Optional<String> optionalText(String name) {
        return has(name) ? Optional.of(textOf(name)) : Optional.empty();
    }

    List<String> textsOf(String name) {
        var texts = new ArrayList<String>();
        elements(name, object.get(name)).forEach(element -> texts.add(text(name, element)));
        return texts;
    }

    List<Integer> intsOf(String name) {
        return ints(name, object.get(name));
    }

    /// Texts by name, in the order written; none where the field is missing.
    Map<String, String> textMapOf(String name) {
        var map = new LinkedHashMap<String, String>();
        members(name).forEach(member -> map.put(member.getKey(), text(name, member.getValue())));
        return map;
    }

    /// Lists of numbers by number; none where the field is missing.
    SortedMap<Integer, List<Integer>> intListsOf(String name) {
        var map = new TreeMap<Integer, List<Integer>>();
        members(name).forEach(member -> map.put(key(name, member.getKey()), ints(name, member.getValue())));
        return map;
    }

    /// Texts by number, in the order written; none where the field is missing.
    Map<Integer, String> textsByNumberOf(String name) {
        var map = new LinkedHashMap<Integer, String>();
        members(name).forEach(member -> map.put(key(name, member.getKey()), text(name, member.getValue())));
        return map;
    }

    /// Objects by number; none where the field is missing.
    SortedMap<Integer, Fields> objectsOf(String name) {
        var map = new TreeMap<Integer, Fields>();
        members(name).forEach(member -> {
            if (!(member.getValue() instanceof ObjectNode inner)) {
                throw malformed(name, member.getValue());
            }
            map.put(key(name, member.getKey()), new Fields(kind, inner));
        });
        return map;
    }

    /// The objects of a list.
    List<Fields> eachOf(String name) {
        var objects = new ArrayList<Fields>();
        for (var element : elements(name, object.get(name))) {
            if (!(element instanceof ObjectNode inner)) {
                throw malformed(name, element);
            }
            objects.add(new Fields(kind, inner));
        }
        return objects;
    }

    /// The fields that are not among `known`, in the order written.
    Map<String, JsonNode> others(Set<String> known) {
        var others = new LinkedHashMap<String, JsonNode>();
        object.properties().forEach(member -> {
            if (!known.contains(member.getKey())) {
                others.put(member.getKey(), member.getValue());
            }
        });
        return others;
    }

    MalformedZnode malformed(String name, @Nullable JsonNode value) {
        return new MalformedZnode(kind + " with " + name + "=" + value);
    }

    private Set<Map.Entry<String, JsonNode>> members(String name) {
        if (!has(name)) {
            return Set.of();
        }
        if (object.get(name) instanceof ObjectNode inner) {
            return inner.properties();
        }
        throw malformed(name, object.get(name));
    }

    private int key(String name, String key) {
        try {
            return Integer.parseInt(key);
        } catch (NumberFormatException _) {
            throw new MalformedZnode(kind + " with key " + key + " in " + name);
        }
    }

    private List<Integer> ints(String name, @Nullable JsonNode value) {
        var numbers = new ArrayList<Integer>();
        for (var element : elements(name, value)) {
            numbers.add(Math.toIntExact(number(name, element, Integer.MIN_VALUE, Integer.MAX_VALUE)));
        }
        return numbers;
    }

    private Iterable<JsonNode> elements(String name, @Nullable JsonNode value) {
        if (value == null || !value.isArray()) {
            throw malformed(name, value);
        }
        return value;
    }

    private String text(String name, @Nullable JsonNode value) {
        if (value == null || !value.isValueNode() || value.isNull()) {
            throw malformed(name, value);
        }
        return value.asString();
    }

    private long number(String name, @Nullable JsonNode value, long least, long most) {
        if (value != null && (value.isIntegralNumber() || value.isString())) {
            try {
                long number = Long.parseLong(value.asString());
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException _) {
                throw malformed(name, value);
            }
        }
        throw malformed(name, value);
    }
}
