package io.millrace.tests.chart;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

/// What Grafana's dashboards ask Prometheus for.
public final class Dashboards {

    /// @param dashboard name of its file
    /// @param text with Grafana's variables in it
    public record Query(String dashboard, String panel, String text) {

        /// As Grafana sends it with everything selected.
        public String plain() {
            return text.replace("$namespace", ".*").replace("$cluster", ".*").replace("$pod", ".*").replace("$group",
                    ".*").replace("$request", "Produce");
        }
    }

    private Dashboards() {}

    /// Of every panel of every dashboard.
    public static List<Query> queries() throws IOException {
        var queries = new ArrayList<Query>();
        try (var files = Files.newDirectoryStream(Chart.FOLDER.resolve("dashboards"), "*.json")) {
            for (var file : files) {
                var dashboard = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
                for (var panel : dashboard.getAsJsonArray("panels")) {
                    add(queries, String.valueOf(file.getFileName()), panel.getAsJsonObject());
                }
            }
        }
        return queries;
    }

    private static void add(List<Query> queries, String dashboard, JsonObject panel) {
        for (var target : panel.getAsJsonArray("targets")) {
            queries.add(new Query(dashboard, panel.get("title").getAsString(), target.getAsJsonObject().get("expr")
                    .getAsString()));
        }
    }
}
