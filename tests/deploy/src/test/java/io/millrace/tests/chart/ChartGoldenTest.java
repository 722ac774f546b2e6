package io.millrace.tests.chart;

import static io.millrace.tests.chart.Chart.at;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.marcnuri.helm.Helm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Parts of the chart word by word: what others rely on who are no part of it, such as controllers of ingresses, schedulers and
/// Prometheus.
class ChartGoldenTest {

    @ParameterizedTest
    @ValueSource(strings = {"minimal", "production", "external-zookeeper", "node-ports", "load-balancers", "tls",
            "everything-off"})
    void lintFindsNothingInAnySetOfValues(String values, @TempDir Path folder) throws IOException {
        var result = new Helm(Chart.withValues(values, folder)).lint().strict().call();

        assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
    }

    @Test
    void theAdminApiIsReachedThroughItsIngress() {
        var chart = Chart.render("production");

        assertThat(at(chart.one("Ingress", "m-admin-api"), "spec")).isEqualTo(json("""
                {"ingressClassName": "nginx",
                 "tls": [{"secretName": "millrace-tls", "hosts": ["millrace.example.com"]}],
                 "rules": [{"host": "millrace.example.com", "http": {"paths": [{"path": "/", "pathType": "Prefix",
                   "backend": {"service": {"name": "m-admin-api", "port": {"name": "http"}}}}]}}]}"""));
        assertThat(at(chart.one("Ingress", "m-admin-api"), "metadata", "annotations")).isEqualTo(json("""
                {"nginx.ingress.kubernetes.io/auth-url": "https://auth.example.com"}"""));
        assertThat(at(chart.one("Service", "m-admin-api"), "spec", "ports")).isEqualTo(json("""
                [{"name": "http", "port": 80, "targetPort": "http"}]"""));
        assertThat(Chart.render("minimal").all("Ingress")).isEmpty();
    }

    @Test
    void anEnsembleOfSomebodyElseIsAllThereIsOfZooKeeper() {
        var chart = Chart.render("external-zookeeper");

        assertThat(chart.objects()).extracting(Chart::name).noneMatch(name -> name.contains("zookeeper"));
        for (var service : new String[]{"broker", "coordinator", "controller", "admin-api"}) {
            assertThat(chart.settings("m-" + service)).containsEntry("kafka.zookeeper.connect",
                    "zk-0.example.com:2181,zk-1.example.com:2181,zk-2.example.com:2181/streams");
        }
    }

    @Test
    void scrapesHaveTheLabelsThatDashboardsAndAlertsAskFor() {
        var chart = Chart.render("production");

        assertThat(at(chart.one("PodMonitor", "m"), "spec", "podMetricsEndpoints")).isEqualTo(json(
                """
                        [{"port": "http", "path": "/actuator/prometheus", "interval": "30s", "relabelings": [
                          {"targetLabel": "cluster", "replacement": "m"},
                          {"sourceLabels": ["__meta_kubernetes_pod_label_app_kubernetes_io_component"], "targetLabel": "component"},
                          {"sourceLabels": ["__meta_kubernetes_pod_name"], "targetLabel": "kubernetes_pod_name"},
                          {"targetLabel": "strimzi_io_cluster", "replacement": "m"},
                          {"targetLabel": "strimzi_io_name", "replacement": "m-kafka"}]}]"""));
        assertThat(at(chart.one("ServiceMonitor", "m-admin-api"), "spec", "endpoints")).isEqualTo(json("""
                [{"port": "http", "path": "/actuator/prometheus", "interval": "30s", "relabelings": [
                  {"targetLabel": "cluster", "replacement": "m"},
                  {"targetLabel": "component", "replacement": "admin-api"}]}]"""));
        assertThat(at(chart.one("PrometheusRule", "m"), "metadata", "labels", "release").getAsString()).isEqualTo(
                "prometheus");
    }

    @Test
    void nodePortsKeepTheNodeThatWasTold() {
        var port = at(Chart.render("node-ports").one("Service", "m-broker-0"), "spec").getAsJsonObject();
        assertThat(at(port, "type").getAsString()).isEqualTo("NodePort");
        assertThat(at(port, "externalTrafficPolicy").getAsString()).isEqualTo("Local");

        var balancer = Chart.render("load-balancers").one("Service", "m-broker-0");
        assertThat(at(balancer, "spec").getAsJsonObject().has("externalTrafficPolicy")).isFalse();
        assertThat(at(balancer, "spec", "ports")).isEqualTo(json("""
                [{"name": "external", "port": 9095, "targetPort": "external"}]"""));
        assertThat(at(balancer, "metadata", "annotations")).isEqualTo(json("""
                {"external-dns.alpha.kubernetes.io/ttl": "60"}"""));
    }

    @Test
    void theJvmIsSizedByTheLimitsOfItsContainer() {
        var chart = Chart.render("production");
        for (var service : new String[]{"broker", "coordinator", "controller"}) {
            assertThat(option(chart.container("StatefulSet", "m-" + service))).contains("-XX:MaxRAMPercentage=")
                    .doesNotContain("-Xmx");
        }
        assertThat(option(chart.container("Deployment", "m-admin-api"))).contains("-XX:MaxRAMPercentage=");
    }

    @Test
    void podsGoWhereTheyAreSentAndAreFoundByTheLabelsOfTheirOwners() {
        var chart = Chart.render("production");
        var pod = chart.pod("StatefulSet", "m-broker");

        assertThat(at(pod, "priorityClassName").getAsString()).isEqualTo("streaming");
        assertThat(at(pod, "nodeSelector")).isEqualTo(json("{\"pool\": \"streaming\"}"));
        assertThat(at(pod, "tolerations")).isEqualTo(json(
                "[{\"key\": \"streaming\", \"operator\": \"Exists\", \"effect\": \"NoSchedule\"}]"));
        assertThat(at(pod, "imagePullSecrets")).isEqualTo(json("[{\"name\": \"registry\"}]"));
        assertThat(at(chart.container("StatefulSet", "m-broker"), "image").getAsString()).isEqualTo(
                "registry.example.com/millrace:1.2.3");
        assertThat(chart.objects()).allSatisfy(object -> assertThat(at(object, "metadata", "labels", "team")
                .getAsString()).as(Chart.name(object)).isEqualTo("streaming"));
    }

    private static String option(JsonObject container) {
        return at(container, "env").getAsJsonArray().asList().stream().filter(variable -> at(variable, "name")
                .getAsString().equals("JDK_JAVA_OPTIONS")).map(variable -> at(variable, "value").getAsString())
                .findFirst()
                .orElse("");
    }

    private static JsonElement json(String text) {
        return JsonParser.parseString(text);
    }
}
