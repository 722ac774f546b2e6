package io.millrace.tests.chart;

import java.util.Map;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;

/// Kubernetes' own types: no field that they do not have, none missing that they need, each of its type.
final class KubernetesSchema {
    static {
        new JSON(); // sets up the adapters that fromJson uses
    }

    private static final Map<String, Type> TYPES = Map.ofEntries(
            Map.entry("v1/ConfigMap", new Type(V1ConfigMap::validateJsonElement, V1ConfigMap::fromJson)),
            Map.entry("v1/Pod", new Type(V1Pod::validateJsonElement, V1Pod::fromJson)),
            Map.entry("v1/Service", new Type(V1Service::validateJsonElement, V1Service::fromJson)),
            Map.entry("v1/ServiceAccount", new Type(V1ServiceAccount::validateJsonElement, V1ServiceAccount::fromJson)),
            Map.entry("apps/v1/Deployment", new Type(V1Deployment::validateJsonElement, V1Deployment::fromJson)),
            Map.entry("apps/v1/StatefulSet", new Type(V1StatefulSet::validateJsonElement, V1StatefulSet::fromJson)),
            Map.entry("networking.k8s.io/v1/Ingress", new Type(V1Ingress::validateJsonElement, V1Ingress::fromJson)),
            Map.entry("networking.k8s.io/v1/NetworkPolicy", new Type(V1NetworkPolicy::validateJsonElement,
                    V1NetworkPolicy::fromJson)),
            Map.entry("policy/v1/PodDisruptionBudget", new Type(V1PodDisruptionBudget::validateJsonElement,
                    V1PodDisruptionBudget::fromJson)),
            Map.entry("rbac.authorization.k8s.io/v1/ClusterRole", new Type(V1ClusterRole::validateJsonElement,
                    V1ClusterRole::fromJson)),
            Map.entry("rbac.authorization.k8s.io/v1/ClusterRoleBinding", new Type(
                    V1ClusterRoleBinding::validateJsonElement, V1ClusterRoleBinding::fromJson)));

    /// Those of the Prometheus operator, which are not Kubernetes' own.
    private static final Map<String, String> OTHERS = Map.of("PodMonitor", "podMetricsEndpoints", "ServiceMonitor",
            "endpoints", "PrometheusRule", "groups");

    private record Type(Check check, Reader reader) {}

    private interface Check {
        void of(JsonElement object) throws java.io.IOException;
    }

    private interface Reader {
        Object of(String json) throws java.io.IOException;
    }

    private KubernetesSchema() {}

    /// @throws Exception that names the field
    static void validate(JsonObject object) throws Exception {
        var kind = object.get("kind").getAsString();
        var version = object.get("apiVersion").getAsString();
        if (version.equals("monitoring.coreos.com/v1")) {
            Chart.at(object, "spec", OTHERS.getOrDefault(kind, "nothing of that kind"), "0");
            return;
        }
        var type = TYPES.get(version + "/" + kind);
        if (type == null) {
            throw new AssertionError("unknown: " + version + " " + kind);
        }
        type.check().of(object);
        type.reader().of(object.toString());
    }
}
