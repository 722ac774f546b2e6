package io.millrace.tests.cluster;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// One cluster a mode, shared by all test classes that ask for `Clusters` and started when the first one does.
/// [UsesClusters] or [DisturbsClusters] gives them to a class: there are clusters for either kind, so that they run beside
/// each other. Whoever ends a service of a cluster brings it back.
public final class Clusters implements AutoCloseable {

    /// Of those that are disturbed.
    static final String RESOURCE = "disturbed clusters";

    private static final String DISTURBED = "disturbed";

    private final String name;
    private final Object starts;
    private final Map<Mode, Cluster> started = new EnumMap<>(Mode.class);

    /// Gives test classes the shared clusters. One that fails halfway through a disturbance leaves the next one whole clusters.
    static final class Extension implements ParameterResolver, AfterEachCallback {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Clusters.class;
        }

        @Override
        public Clusters resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return of(context);
        }

        @Override
        public void afterEach(ExtensionContext context) {
            if (context.getExecutionException().isPresent() && disturbs(context)) {
                of(context).mend();
            }
        }

        private static boolean disturbs(ExtensionContext context) {
            return context.getRequiredTestClass().isAnnotationPresent(DisturbsClusters.class);
        }

        private static Clusters of(ExtensionContext context) {
            String name = disturbs(context) ? DISTURBED : "used";
            var store = context.getRoot().getStore(Namespace.create(Clusters.class));
            var starts = store.computeIfAbsent("starts", _ -> new Object(), Object.class);
            return store.computeIfAbsent(name, _ -> new Clusters(name, starts), Clusters.class);
        }
    }

    /// @param starts held while one starts: two at a time would take each other's limits
    private Clusters(String name, Object starts) {
        this.name = name;
        this.starts = starts;
    }

    /// The running cluster of that mode.
    public Cluster of(Mode mode) {
        synchronized (starts) {
            return started.computeIfAbsent(mode, it -> Cluster.of(name + "-" + it.label(), options(name, it)).up());
        }
    }

    private void mend() {
        synchronized (starts) {
            started.values().forEach(Cluster::mend);
        }
    }

    /// What is killed and started again and again has less to open.
    private static List<String> options(String name, Mode mode) {
        var options = new ArrayList<>(List.of("--mode", mode.label()));
        options.addAll(mode.options());
        if (name.equals(DISTURBED)) {
            options.addAll(List.of("--set", "kafka.offsets.topic.num.partitions=10", "--set",
                    "kafka.transaction.state.log.num.partitions=10"));
        }
        return options;
    }

    @Override
    public void close() {
        synchronized (starts) {
            started.values().forEach(Cluster::close);
        }
    }
}
