package io.millrace.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.junit.jupiter.api.Test;

/// The page of settings tells which of them do something. What code reads a setting names it, so the sources know.
class SettingsPageTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().resolve("../..").normalize();
    private static final Path PAGE = ROOT.resolve("docs/settings.md");
    private static final String BEGIN = "<!-- made by SettingsPageTest: begin -->\n";
    private static final String END = "<!-- made by SettingsPageTest: end -->\n";

    private static final Pattern LITERAL = Pattern.compile("\"([a-z][a-zA-Z0-9]*(?:\\.[a-zA-Z0-9]+)+|listeners)\"");

    @Test
    void thePageTellsWhatTheCodeDoes() throws IOException {
        var page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        var tables = tables();
        var made = Path.of("target/settings.md");
        Files.createDirectories(made.getParent());
        Files.writeString(made, page.substring(0, begin) + tables + page.substring(end));

        assertThat(page.substring(begin, end)).as("docs/settings.md is not up to date; %s is", made.toAbsolutePath())
                .isEqualTo(tables);
    }

    private static String tables() throws IOException {
        var named = named();
        Predicate<String> topicKey = named::contains;
        var defaults = TopicSettings.definition().names().stream().filter(topicKey)
                .flatMap(key -> TopicSettings.synonyms(key).stream()).collect(Collectors.toSet());
        Predicate<String> serverKey = key -> named.contains(key) || defaults.contains(key) || key.equals("node.id");
        return "## Of a node: `kafka.NAME`\n\n" + table(ServerSettings.definition(), serverKey, DynamicKeys::contains)
                + "\nKnown, and without effect so far:\n\n" + names(ServerSettings.definition(), serverKey)
                + "\n## Of a topic\n\n" + table(TopicSettings.definition(), topicKey, _ -> true)
                + "\nKnown, and without effect so far:\n\n" + names(TopicSettings.definition(), topicKey);
    }

    private static String table(ConfigDef definition, Predicate<String> honoured, Predicate<String> live) {
        return "| setting | default | changes | meaning |\n|---|---|---|---|\n" + sorted(definition)
                .filter(key -> honoured.test(key.name))
                .map(key -> "| `%s` | %s | %s | %s |\n".formatted(key.name, byDefault(key), live.test(key.name)
                        ? "live"
                        : "", key.documentation))
                .collect(Collectors.joining());
    }

    private static String byDefault(ConfigKey key) {
        var value = key.hasDefault() ? ConfigDef.convertToString(key.defaultValue, key.type) : null;
        return value == null || value.isEmpty() ? "" : "`" + value + "`";
    }

    private static String names(ConfigDef definition, Predicate<String> honoured) {
        return sorted(definition)
                .filter(key -> !honoured.test(key.name) && !BrokerSecurityConfigs.CONFIG_DEF.names().contains(key.name))
                .map(key -> "- `" + key.name + "`\n").collect(Collectors.joining());
    }

    private static Stream<ConfigKey> sorted(ConfigDef definition) {
        return new TreeMap<>(definition.configKeys()).values().stream();
    }

    /// Every text in the sources of the services that could be a setting, but for the catalogues of settings; the admin
    /// API has some in its examples.
    private static Set<String> named() throws IOException {
        var named = new TreeSet<String>();
        try (var files = Files.walk(ROOT)) {
            for (var file : files.filter(SettingsPageTest::isSource).toList()) {
                LITERAL.matcher(Files.readString(file)).results().forEach(found -> named.add(found.group(1)));
            }
        }
        return named;
    }

    private static boolean isSource(Path file) {
        var path = ROOT.relativize(file).toString();
        return path.contains("src/main/java/") && path.endsWith(".java") && !path.startsWith("admin-api/")
                && !path.endsWith("Keys.java") && !path.endsWith("Catalogue.java");
    }
}
