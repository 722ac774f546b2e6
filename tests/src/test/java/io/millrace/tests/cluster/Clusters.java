package io.millrace.tests.cluster;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// One cluster a mode, shared by all test classes that ask for `Clusters` and started when the first one does.
/// [UsesClusters] or [DisturbsClusters] gives them to a class. Whoever ends a service of it brings it back.
public final class Clusters implements AutoCloseable {

    static final String RESOURCE = "shared clusters";

    private final Map<Mode, Cluster> started = new EnumMap<>(Mode.class);

    /// Gives test classes the shared clusters.
    static final class Extension implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Clusters.class;
        }

        @Override
        public Clusters resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot().getStore(Namespace.create(Clusters.class)).computeIfAbsent(Clusters.class,
                    _ -> new Clusters(), Clusters.class);
        }
    }

    private Clusters() {}

    /// The running cluster of that mode.
    public synchronized Cluster of(Mode mode) {
        return started.computeIfAbsent(mode, it -> Cluster.of(it.label(), options(it)).up());
    }

    private static List<String> options(Mode mode) {
        var options = new ArrayList<>(List.of("--mode", mode.label()));
        options.addAll(mode.options());
        return options;
    }

    @Override
    public synchronized void close() {
        started.values().forEach(Cluster::close);
    }
}
