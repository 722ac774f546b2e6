package io.millrace.tests.chart;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

class AlertsTest {
    private static final List<Path> RULES = List.of(Chart.FOLDER.resolve("alerts/millrace.yaml"), Chart.FOLDER.resolve(
            "alerts/kubernetes.yaml"));
    private static final Path TESTS = Chart.HOME.resolve("tests/deploy/src/test/resources/alerts-test.yaml");

    @TempDir
    private Path folder;

    @Test
    void alertsFireWhenTheyShallAndNotBefore() throws Exception {
        for (var rules : RULES) {
            Files.copy(rules, folder.resolve(rules.getFileName()));
        }
        Files.copy(TESTS, folder.resolve("tests.yaml"));

        var result = Promtool.run(folder, "test", "rules", "tests.yaml");

        assertThat(result.exitCode()).as(result.out()).isZero();
    }

    @Test
    void whatPrometheusScrapesBesideTheComposeFileMakesSense() throws Exception {
        var result = Promtool.run(Chart.HOME.resolve("observe"), "check", "config", "--syntax-only", "prometheus.yml");

        assertThat(result.exitCode()).as(result.out()).isZero();
    }

    @Test
    void eachAlertHasATestOfWhenItFiresAndOneOfWhenItDoesNot() throws Exception {
        var tested = new HashMap<String, List<Boolean>>();
        for (var test : list(yaml(TESTS), "tests")) {
            for (var expected : list(test, "alert_rule_test")) {
                tested.computeIfAbsent(String.valueOf(expected.get("alertname")), _ -> new ArrayList<>())
                        .add(!list(expected, "exp_alerts").isEmpty());
            }
        }

        assertThat(alerts()).isNotEmpty().allSatisfy(alert -> assertThat(tested.get(alert)).as(alert).contains(true,
                false));
        assertThat(tested.keySet()).isSubsetOf(alerts());
    }

    @Test
    void alertsOfKafkaHaveTheNamesThatOperatorsKnow() throws Exception {
        assertThat(alerts()).contains("KafkaRunningOutOfSpace", "UnderReplicatedPartitions", "AbnormalControllerState",
                "OfflinePartitions", "UnderMinIsrPartitionCount", "OfflineLogDirectoryCount", "ScrapeProblem",
                "KafkaBrokerContainersDown", "KafkaContainerRestartedInTheLast5Minutes",
                "TooLargeConsumerGroupLag", "NoMessageForTooLong");
    }

    @Test
    void queriesOfDashboardsAreQueries() throws Exception {
        var rules = new StringBuilder("groups:\n- name: queries\n  rules:\n");
        int count = 0;
        for (var query : Dashboards.queries()) {
            rules.append("  - {record: 'query:").append(count++).append("', expr: '").append(query.plain().replace("'",
                    "''")).append("'}\n");
        }
        Files.writeString(folder.resolve("queries.yaml"), rules);

        var result = Promtool.run(folder, "check", "rules", "queries.yaml");

        assertThat(result.exitCode()).as(result.out()).isZero();
        assertThat(count).isGreaterThan(60);
    }

    @Test
    void metricsOfAlertsAndDashboardsAreDocumented() throws Exception {
        var page = Files.readString(Chart.HOME.resolve("docs/metrics.md"));
        var names = new ArrayList<String>();
        rules().forEach(rule -> names.addAll(names(String.valueOf(rule.get("expr")))));
        Dashboards.queries().forEach(query -> names.addAll(names(query.plain())));

        assertThat(names).isNotEmpty().allSatisfy(name -> assertThat(documented(page, name)).as(name).isTrue());
    }

    /// The page writes a common beginning once and goes on with `…_end`.
    private static boolean documented(String page, String name) {
        if (page.contains("`" + name + "`")) {
            return true;
        }
        var base = name.replaceAll("_(sum|count|max)$", "");
        int under = base.lastIndexOf('_');
        while (under > 0) {
            if (page.contains("`" + base + "`") || page.contains("`…" + base.substring(under) + "`")) {
                return true;
            }
            under = base.lastIndexOf('_', under - 1);
        }
        return page.contains("`" + base.substring(base.indexOf("numgroups") + "numgroups".length()) + "`");
    }

    private static List<String> names(String query) {
        return Pattern.compile("\\b(?:kafka|millrace)_[a-z0-9_]+").matcher(query).results()
                .map(found -> found.group())
                .toList();
    }

    private static List<String> alerts() throws Exception {
        return rules().stream().map(rule -> String.valueOf(rule.get("alert"))).toList();
    }

    private static List<Map<?, ?>> rules() throws Exception {
        var rules = new ArrayList<Map<?, ?>>();
        for (var file : RULES) {
            list(yaml(file), "groups").forEach(group -> rules.addAll(list(group, "rules")));
        }
        return rules;
    }

    /// Of what only Kubernetes tells, compose's Prometheus would say that it is missing.
    @Test
    void composeHasTheAlertsOfWhatMillraceTells() throws Exception {
        assertThat(Files.readString(Chart.HOME.resolve("docker-compose.yml"))).contains("alerts/millrace.yaml:")
                .doesNotContain("alerts/kubernetes.yaml");
        assertThat(Files.readString(RULES.getFirst())).doesNotContain("kubelet_", "container_last_seen");
    }

    private static Map<?, ?> yaml(Path file) throws Exception {
        try (var in = Files.newInputStream(file)) {
            return new Yaml().load(in);
        }
    }

    private static List<Map<?, ?>> list(Map<?, ?> of, String key) {
        var items = (List<?>) requireNonNull(of.get(key), key);
        return items.stream().<Map<?, ?>>map(item -> (Map<?, ?>) item).toList();
    }
}
