package io.millrace.standalone.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.millrace.admin.AdminApplication;
import io.millrace.broker.BrokerApplication;
import io.millrace.controller.ControllerApplication;
import io.millrace.coordinator.CoordinatorApplication;
import io.millrace.standalone.StandaloneApplication;
import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.plan.Instance;
import io.millrace.standalone.plan.Mode;
import io.millrace.standalone.plan.Role;
import io.millrace.standalone.plan.ServiceArguments;
import io.millrace.standalone.zookeeper.ZooKeeperProcess;

/// The command that starts a process of a plan.
final class ServiceProcess {

    private static final int STANDALONE_HEAP = 768;
    private static final int BROKER_HEAP = 512;
    private static final int HEAP = 256;

    /// Environment variable with more options of the JVMs, with blanks between them; the last of two that contradict wins.
    private static final String MORE_OPTIONS = "MILLRACE_JVM_OPTIONS";

    private final Distribution distribution;
    private final List<String> moreOptions;

    private ServiceProcess(Distribution distribution, List<String> moreOptions) {
        this.distribution = distribution;
        this.moreOptions = moreOptions;
    }

    /// Of a cluster that serves: with the options of the environment.
    static ServiceProcess ofEnvironment(Distribution distribution) {
        String more = System.getenv().getOrDefault(MORE_OPTIONS, "").strip();
        return new ServiceProcess(distribution, more.isEmpty() ? List.of() : List.of(more.split("\\s+")));
    }

    /// As it comes.
    static ServiceProcess plain(Distribution distribution) {
        return new ServiceProcess(distribution, List.of());
    }

    /// The command of the process that holds the instance.
    ///
    /// @param data the data folder
    List<String> command(ClusterPlan plan, Instance instance, Path data) {
        return plan.mode() == Mode.STANDALONE
                ? standalone(plan, data, options(Role.BROKER))
                : distribution.java(instance.role() == Role.BROKER ? BROKER_HEAP : HEAP, options(instance.role()),
                        main(instance.role()), ServiceArguments.of(plan, instance, data));
    }

    /// The process of all roles.
    ///
    /// @param options more options of the JVM
    List<String> standalone(ClusterPlan plan, Path data, List<String> options) {
        return distribution.java(STANDALONE_HEAP, options, StandaloneApplication.class,
                ServiceArguments.ofAll(plan, data));
    }

    private List<String> options(Role role) {
        var options = new ArrayList<>(cache());
        options.addAll(moreOptions);
        if (role == Role.ZOOKEEPER) {
            options.add("-Dlogback.configurationFile=millrace-plain-logback.xml");
        }
        return options;
    }

    private List<String> cache() {
        return Files.exists(distribution.cache()) ? List.of("-XX:AOTCache=" + distribution.cache()) : List.of();
    }

    private static Class<?> main(Role role) {
        return switch (role) {
            case ZOOKEEPER -> ZooKeeperProcess.class;
            case CONTROLLER -> ControllerApplication.class;
            case BROKER -> BrokerApplication.class;
            case COORDINATOR -> CoordinatorApplication.class;
            case ADMIN -> AdminApplication.class;
        };
    }
}
