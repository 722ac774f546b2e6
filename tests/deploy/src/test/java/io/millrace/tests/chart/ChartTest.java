package io.millrace.tests.chart;

import static io.millrace.tests.chart.Chart.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.marcnuri.helm.Helm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChartTest {
    private static final List<String> SERVICES = List.of("broker", "coordinator", "controller");

    @Test
    void lintFindsNothing() {
        var result = new Helm(Chart.FOLDER).lint().strict().call();

        assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"minimal", "production", "external-zookeeper", "node-ports", "load-balancers", "tls",
            "everything-off"})
    void eachSetOfValuesGivesObjectsThatKubernetesTakes(String values) {
        var chart = Chart.render(values);
        var names = new HashSet<String>();

        for (var object : chart.objects()) {
            var name = object.get("kind").getAsString() + " " + Chart.name(object);
            assertThatCode(() -> KubernetesSchema.validate(object)).as(name).doesNotThrowAnyException();
            assertThat(names.add(name)).as("%s is there once", name).isTrue();
        }
        assertThat(chart.all("StatefulSet")).hasSizeGreaterThanOrEqualTo(3);
    }

    @Test
    void schemaOfObjectsRefusesWhatKubernetesWould() {
        var set = Chart.render("minimal").one("StatefulSet", "m-broker");
        var misspelt = set.deepCopy();
        at(misspelt, "spec", "template", "spec", "containers", "0").getAsJsonObject().add("readynessProbe",
                new JsonObject());
        var wrongType = set.deepCopy();
        at(wrongType, "spec").getAsJsonObject().addProperty("replicas", "three");

        assertThatException().isThrownBy(() -> KubernetesSchema.validate(misspelt)).withMessageContaining("readyness");
        assertThatException().isThrownBy(() -> KubernetesSchema.validate(wrongType));
    }

    @ParameterizedTest
    @CsvSource({"broker.replicas,many", "broker.replicas,0", "zookeeper.replicas,2", "external.type,ClusterIP",
            "broker.terminationGracePeriodSeconds,20", "brokers.replicas,3", "logging.structured,xml"})
    void valuesThatMakeNoSenseAreRefused(String key, String value) {
        assertThatException().isThrownBy(() -> Chart.template().set(key, value).call())
                .withMessageContaining(key.substring(0, key.indexOf('.')));
    }

    @Test
    void whatBelongsTogetherIsAskedFor() {
        assertThatException().isThrownBy(() -> Chart.template().set("zookeeper.enabled", "false")
                .call()).withMessageContaining("zookeeper.connect");
        assertThatException().isThrownBy(() -> Chart.template().set("external.enabled", "true")
                .set("external.type", "LoadBalancer").call()).withMessageContaining("broker.external.hosts");
        assertThatException().isThrownBy(() -> Chart.template().set("tls.enabled", "true").call())
                .withMessageContaining("tls.secretName");
    }

    @Test
    void podsAreKnownByNamesThatResolveBeforeTheyAreReady() {
        var chart = Chart.render("production");
        for (var service : SERVICES) {
            var set = chart.one("StatefulSet", "m-" + service);
            var headless = chart.one("Service", at(set, "spec", "serviceName").getAsString());

            assertThat(at(headless, "spec", "clusterIP").getAsString()).isEqualTo("None");
            assertThat(at(headless, "spec", "publishNotReadyAddresses").getAsBoolean()).isTrue();
            assertThat(at(set, "spec", "podManagementPolicy").getAsString()).isEqualTo("Parallel");
        }
        assertThat(chart.settings("m-broker").get("kafka.advertised.listeners"))
                .isEqualTo("INTERNAL://${HOSTNAME}.m-brokers.prod.svc.cluster.local:9092");
        assertThat(chart.settings("m-broker").get("kafka.zookeeper.connect")).isEqualTo(
                "m-zookeeper-0.m-zookeepers.prod.svc.cluster.local:2181,m-zookeeper-1.m-zookeepers.prod.svc.cluster.local:2181,"
                        + "m-zookeeper-2.m-zookeepers.prod.svc.cluster.local:2181/millrace");
    }

    @Test
    void idsDeriveFromTheNumbersOfPods() {
        var chart = Chart.render("production");

        assertThat(chart.settings("m-broker")).containsEntry("millrace.node.first-id", "0");
        assertThat(chart.settings("m-coordinator")).containsEntry("millrace.node.first-id", "1000");
        assertThat(chart.settings("m-controller")).containsEntry("millrace.node.first-id", "0");
    }

    @Test
    void eachLogDirectoryIsAFolderOnAVolumeOfItsOwn() {
        var chart = Chart.render("production");
        var claims = at(chart.one("StatefulSet", "m-broker"), "spec", "volumeClaimTemplates").getAsJsonArray();

        assertThat(claims).extracting(claim -> at(claim, "metadata", "name").getAsString())
                .containsExactly("data-0", "data-1");
        // A folder below the mount: the volume's own lost+found is not among the partitions.
        assertThat(chart.settings("m-broker")).containsEntry("kafka.log.dirs",
                "/var/lib/millrace/data-0/log,/var/lib/millrace/data-1/log");
        assertThat(mounts(chart.container("StatefulSet", "m-broker"))).contains("/var/lib/millrace/data-0",
                "/var/lib/millrace/data-1");
    }

    @Test
    void probesAskWhatTheyMean() {
        var chart = Chart.render("production");
        for (var container : List.of(chart.container("StatefulSet", "m-broker"), chart.container("StatefulSet",
                "m-coordinator"), chart.container("StatefulSet", "m-controller"), chart.container("Deployment",
                        "m-admin-api"))) {
            assertThat(at(container, "livenessProbe", "httpGet", "path").getAsString()).endsWith("/liveness");
            assertThat(at(container, "startupProbe", "httpGet", "path").getAsString()).endsWith("/liveness");
            assertThat(at(container, "readinessProbe", "httpGet", "path").getAsString()).endsWith("/readiness");
            assertThat(at(container, "lifecycle", "preStop", "sleep", "seconds").getAsInt()).isPositive();
        }
        // Above the longest stop of a broker: its steps have half a minute each, and the hand-over its own bound.
        assertThat(at(chart.pod("StatefulSet", "m-broker"), "terminationGracePeriodSeconds").getAsInt())
                .isGreaterThanOrEqualTo(120);
    }

    @Test
    void disruptionsTakeOnePodAtATime() {
        var chart = Chart.render("production");
        assertThat(chart.all("PodDisruptionBudget")).extracting(Chart::name).containsExactlyInAnyOrder("m-broker",
                "m-coordinator", "m-controller", "m-admin-api", "m-zookeeper");
        assertThat(chart.all("PodDisruptionBudget")).allSatisfy(budget -> assertThat(at(budget, "spec",
                "maxUnavailable").getAsInt()).isEqualTo(1));
        for (var service : SERVICES) {
            assertThat(at(chart.pod("StatefulSet", "m-" + service), "topologySpreadConstraints").getAsJsonArray())
                    .extracting(spread -> at(spread, "topologyKey").getAsString())
                    .containsExactly("topology.kubernetes.io/zone", "kubernetes.io/hostname");
        }
    }

    @Test
    void containersMayDoNothingBeyondTheirWork() {
        var chart = Chart.render("production");
        for (var kind : List.of("StatefulSet", "Deployment")) {
            for (var object : chart.all(kind)) {
                var pod = chart.pod(kind, Chart.name(object));
                assertThat(at(pod, "securityContext", "runAsNonRoot").getAsBoolean()).isTrue();
                assertThat(at(pod, "automountServiceAccountToken").getAsBoolean()).isFalse();
                for (var container : containers(pod)) {
                    assertThat(at(container, "securityContext", "allowPrivilegeEscalation").getAsBoolean()).isFalse();
                    assertThat(at(container, "securityContext", "capabilities", "drop", "0").getAsString()).isEqualTo(
                            "ALL");
                    assertThat(at(container, "resources", "limits", "memory").getAsString()).isNotEmpty();
                    if (!Chart.name(object).equals("m-zookeeper")) {
                        assertThat(at(container, "securityContext", "readOnlyRootFilesystem").getAsBoolean()).isTrue();
                        assertThat(mounts(container)).contains("/tmp");
                    }
                }
            }
        }
    }

    @Test
    void rackIsAskedForByAnInitContainerThatMayReadNodesAndNothingElse() {
        var chart = Chart.render("production");
        var init = at(chart.pod("StatefulSet", "m-broker"), "initContainers", "0");

        assertThat(strings(at(init, "args"))).containsExactly("zone", "$(NODE_NAME)", "topology.kubernetes.io/zone",
                "/run/millrace/rack.properties");
        assertThat(mounts(init)).contains("/var/run/secrets/kubernetes.io/serviceaccount");
        assertThat(mounts(chart.container("StatefulSet", "m-broker"))).doesNotContain(
                "/var/run/secrets/kubernetes.io/serviceaccount").contains("/run/millrace");
        assertThat(at(chart.all("ClusterRole").getFirst(), "rules")).isEqualTo(JsonParser.parseString(
                "[{\"apiGroups\":[\"\"],\"resources\":[\"nodes\"],\"verbs\":[\"get\"]}]"));
        assertThat(Chart.render("minimal").all("ClusterRole")).isEmpty();
    }

    @Test
    void clientsOutsideHaveAServiceAndANameForEachPod() {
        var ports = Chart.render("node-ports");
        assertThat(ports.settings("m-broker")).containsEntry("millrace.external.m-broker-2", "${HOST_IP}:30502")
                .containsEntry("kafka.listeners", "INTERNAL://:9092,EXTERNAL://:9094");
        assertThat(ports.settings("m-coordinator")).containsEntry("millrace.external.m-coordinator-1",
                "edge-1.example.com:30601");
        var service = ports.one("Service", "m-broker-2");
        assertThat(at(service, "spec", "ports", "0", "nodePort").getAsInt()).isEqualTo(30502);
        assertThat(at(service, "spec", "selector", "statefulset.kubernetes.io/pod-name").getAsString()).isEqualTo(
                "m-broker-2");

        var balancers = Chart.render("load-balancers");
        assertThat(balancers.settings("m-broker")).containsEntry("millrace.external.m-broker-0", "b0.example.com:9095");
        assertThat(at(balancers.one("Service", "m-coordinator-1"), "spec", "type").getAsString()).isEqualTo(
                "LoadBalancer");
        assertThat(Chart.render("minimal").settings("m-broker")).doesNotContainKey("millrace.external.m-broker-0");
    }

    @Test
    void settingsOfKafkaAreTakenByTheirNames() {
        var chart = Chart.render("production");

        assertThat(chart.settings("m-broker")).containsEntry("kafka.log.retention.hours", "72")
                .containsEntry("kafka.auto.create.topics.enable", "false")
                .containsEntry("kafka.min.insync.replicas", "2")
                .containsEntry("logging.structured.format.console", "ecs");
        assertThat(chart.settings("m-coordinator")).doesNotContainKey("kafka.log.retention.hours");
        assertThat(at(chart.container("StatefulSet", "m-broker"), "env").toString()).contains(
                "KAFKA_NUM_RECOVERY_THREADS_PER_DATA_DIR");
        assertThat(Chart.render("minimal").settings("m-broker")).containsEntry("kafka.min.insync.replicas", "1")
                .containsEntry("kafka.offsets.topic.replication.factor", "1");
    }

    @Test
    void changedSettingsRollThePodsThatHaveThem() {
        var chart = Chart.render("production");
        var text = Chart.template().withName("m").set("fullnameOverride", "m").call();
        assertThat(text).contains("checksum/config");
        assertThat(checksum(chart, "m-broker")).isNotEqualTo(checksum(Chart.render("minimal"), "m-broker"));
        assertThat(checksum(chart, "m-controller")).isNotEqualTo(checksum(chart, "m-broker"));
    }

    @Test
    void networkPoliciesLetInOnlyThoseWhoHaveBusinessThere() {
        var chart = Chart.render("production");

        assertThat(at(chart.one("NetworkPolicy", "m-zookeeper"), "spec", "ingress", "0", "from").toString())
                .contains("broker", "coordinator", "controller", "admin-api").doesNotContain("namespaceSelector");
        assertThat(at(chart.one("NetworkPolicy", "m-broker"), "spec", "ingress", "0", "from").toString())
                .contains("kafka-client", "coordinator");
        assertThat(at(chart.one("NetworkPolicy", "m-broker"), "spec", "ingress", "1", "from").toString())
                .contains("monitoring").doesNotContain("kafka-client");
        assertThat(Chart.render("everything-off").all("NetworkPolicy")).isEmpty();
    }

    @Test
    void monitoringHasEveryPodOnce() {
        var chart = Chart.render("production");
        var parts = strings(at(chart.one("PodMonitor", "m"), "spec", "selector", "matchExpressions", "0", "values"));

        assertThat(parts).containsExactly("broker", "coordinator", "controller");
        assertThat(chart.all("ServiceMonitor")).extracting(Chart::name).containsExactly("m-admin-api");
        assertThat(at(chart.one("PrometheusRule", "m"), "spec", "groups").getAsJsonArray()).hasSize(3);
        assertThat(at(chart.one("PrometheusRule", "m-kubernetes"), "spec", "groups").getAsJsonArray()).hasSize(1);
        assertThat(chart.all("ConfigMap")).extracting(Chart::name).contains("m-dashboard-cluster",
                "m-dashboard-broker", "m-dashboard-controller", "m-dashboard-coordinator", "m-dashboard-groups");
    }

    @Test
    void everythingThatCanBeLeftOutIs() {
        var chart = Chart.render("everything-off");

        assertThat(chart.objects()).extracting(object -> object.get("kind").getAsString()).containsOnly("ConfigMap",
                "Service", "StatefulSet");
        assertThat(chart.all("StatefulSet")).extracting(Chart::name).containsExactlyInAnyOrder("streams-broker",
                "streams-coordinator", "streams-controller");
    }

    @Test
    void whatIsShownAfterTheInstallationAndRunByHelmTestFitsTheRest(@TempDir Path folder) throws Exception {
        for (var values : List.of("minimal", "node-ports", "load-balancers", "tls", "production", "everything-off")) {
            var chart = Chart.renderAll(values, Files.createDirectory(folder.resolve(values)));
            var full = values.equals("everything-off") ? "streams" : "m";
            var pod = chart.one("Pod", full + "-check");
            var notes = at(chart.one("ConfigMap", "notes"), "data", "text").getAsString();

            KubernetesSchema.validate(pod);
            assertThat(strings(at(pod, "spec", "containers", "0", "args"))).containsExactly("check", full
                    + "-bootstrap:9092");
            assertThat(notes).contains(full + "-bootstrap.prod.svc.cluster.local:9092")
                    .doesNotContain("<no value>");
            assertThat(notes.contains("WARNING: tls")).isEqualTo(values.equals("tls"));
            assertThat(notes.contains("https://millrace.example.com/swagger-ui")).isEqualTo(values.equals(
                    "production"));
        }
    }

    private static String checksum(Chart chart, String set) {
        return at(chart.one("StatefulSet", set), "spec", "template", "metadata", "annotations", "checksum/config")
                .getAsString();
    }

    private static List<JsonElement> containers(JsonObject pod) {
        var all = new JsonArray();
        all.addAll(pod.getAsJsonArray("containers"));
        if (pod.has("initContainers")) {
            all.addAll(pod.getAsJsonArray("initContainers"));
        }
        return all.asList();
    }

    private static List<String> mounts(JsonElement container) {
        return at(container, "volumeMounts").getAsJsonArray().asList().stream()
                .map(mount -> at(mount, "mountPath").getAsString()).toList();
    }

    private static List<String> strings(JsonElement array) {
        return array.getAsJsonArray().asList().stream().map(JsonElement::getAsString).toList();
    }
}
