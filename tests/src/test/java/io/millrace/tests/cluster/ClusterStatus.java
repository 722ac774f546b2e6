package io.millrace.tests.cluster;

import java.util.List;

import org.jspecify.annotations.Nullable;

/// What `bin/millrace status --json` prints.
public record ClusterStatus(String bootstrap, String admin, String zookeeper, List<Service> services) {

    /// One instance.
    public record Service(String role, int id, @Nullable Long pid, @Nullable String kafka, @Nullable String http,
            String state) {}

    /// The instance of that role and id.
    public Service service(String role, int id) {
        return services.stream().filter(it -> it.role().equals(role) && it.id() == id).findFirst().orElseThrow();
    }
}
