package io.millrace.tests.chart;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import org.yaml.snakeyaml.Yaml;

/// The chart as Helm renders it with one set of values.
record Chart(String values, List<JsonObject> objects) {
    static final String NAMESPACE = "prod";
    static final Path HOME = Path.of(System.getProperty("millrace.home", "../..")).toAbsolutePath().normalize();
    static final Path FOLDER = HOME.resolve("helm/millrace");

    /// @param values name of a file in the chart's folder `ci`
    static Chart render(String values) {
        return render(FOLDER, values);
    }

    /// Also what Helm's library leaves out of a template: the hook of `helm test`, and the notes, in a ConfigMap.
    ///
    /// @param folder empty; a copy of the chart is made there
    static Chart renderAll(String values, Path folder) throws IOException {
        copy(folder, text -> text.replace("helm.sh/hook: test", "hook: test"));
        var notes = folder.resolve("templates/NOTES.txt");
        Files.writeString(folder.resolve("templates/notes.yaml"), "{{ define \"notes\" }}" + Files.readString(notes)
                + "{{ end }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: notes}\n"
                + "data: {text: {{ include \"notes\" . | toJson }}}\n");
        return render(folder, values);
    }

    /// The chart with those values as its own, for what takes no file of values.
    ///
    /// @param folder empty; a copy of the chart is made there
    static Path withValues(String values, Path folder) throws IOException {
        copy(folder, UnaryOperator.identity());
        var all = folder.resolve("values.yaml");
        Files.writeString(all, new Yaml().dump(merged(read(all), read(file(values)))));
        return folder;
    }

    private static Map<?, ?> read(Path file) throws IOException {
        return new Yaml().<Map<?, ?>>load(Files.readString(file));
    }

    private static Map<Object, Object> merged(Map<?, ?> values, Map<?, ?> over) {
        var all = new LinkedHashMap<Object, Object>(values);
        over.forEach((key, value) -> all.put(key, all.get(key) instanceof Map<?, ?> below
                && value instanceof Map<?, ?> more
                        ? merged(below, more)
                        : value));
        return all;
    }

    private static void copy(Path folder, UnaryOperator<String> change) throws IOException {
        try (var files = Files.walk(FOLDER)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                var copy = folder.resolve(FOLDER.relativize(file));
                Files.createDirectories(requireNonNull(copy.getParent()));
                Files.writeString(copy, change.apply(Files.readString(file)));
            }
        }
    }

    private static Chart render(Path folder, String values) {
        var text = template(folder).withName("m").withNamespace(NAMESPACE).withValuesFile(file(values))
                .set("fullnameOverride", values.equals("everything-off") ? "streams" : "m").call();
        var objects = new ArrayList<JsonObject>();
        for (Object document : new Yaml().loadAll(text)) {
            if (document != null) {
                objects.add(new Gson().toJsonTree(document).getAsJsonObject());
            }
        }
        return new Chart(values, objects);
    }

    /// Of the oldest Kubernetes that the chart is for.
    static TemplateCommand template() {
        return template(FOLDER);
    }

    private static TemplateCommand template(Path folder) {
        return new Helm(folder).template().withKubeVersion("1.30.0");
    }

    static Path file(String values) {
        return FOLDER.resolve("ci").resolve(values + ".yaml");
    }

    static String name(JsonObject object) {
        return at(object, "metadata", "name").getAsString();
    }

    List<JsonObject> all(String kind) {
        return objects.stream().filter(object -> object.get("kind").getAsString().equals(kind)).toList();
    }

    /// The one object of that kind and name.
    JsonObject one(String kind, String name) {
        return all(kind).stream().filter(object -> name(object).equals(name)).findFirst().orElseThrow(
                () -> new AssertionError(values + " has no " + kind + " " + name));
    }

    /// The settings that a service is started with.
    Map<String, String> settings(String component) {
        var settings = new LinkedHashMap<String, String>();
        at(one("ConfigMap", component), "data", "service.properties").getAsString().lines().filter(line -> !line
                .isBlank())
                .forEach(line -> settings.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=')
                        + 1)));
        return settings;
    }

    /// The pod of a StatefulSet or Deployment.
    JsonObject pod(String kind, String name) {
        return at(one(kind, name), "spec", "template", "spec").getAsJsonObject();
    }

    /// Its first container.
    JsonObject container(String kind, String name) {
        return pod(kind, name).getAsJsonArray("containers").get(0).getAsJsonObject();
    }

    /// What is found along the path; fails where nothing is.
    static JsonElement at(JsonElement from, String... path) {
        var found = from;
        for (var step : path) {
            var next = found.isJsonArray()
                    ? found.getAsJsonArray().get(Integer.parseInt(step))
                    : found.getAsJsonObject().get(step);
            if (next == null) {
                throw new AssertionError("no " + step + " in " + found);
            }
            found = next;
        }
        return found;
    }
}
