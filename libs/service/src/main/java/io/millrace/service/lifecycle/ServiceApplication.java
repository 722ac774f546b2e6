package io.millrace.service.lifecycle;

import java.util.HashMap;
import java.util.Map;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;

/// How every service is set up as a Spring application. Nothing of it is global to the JVM, so that several run side by
/// side in one.
public final class ServiceApplication {
    /// Ids of the trace that a line belongs to, where it does to one.
    private static final String TRACE = "%replace( traceId=%X{traceId} spanId=%X{spanId}){' traceId= spanId=', ''}";

    private ServiceApplication() {}

    /// @param name of the service: `broker`
    /// @param application its `@SpringBootConfiguration`
    /// @param defaults properties of its own, weaker than all that a person sets; they win over those of all services
    public static SpringApplication of(String name, Class<?> application, Map<String, Object> defaults) {
        var spring = new SpringApplication(application);
        spring.setBannerMode(Banner.Mode.OFF);
        spring.addListeners(new InterruptibleStart());
        var properties = new HashMap<String, Object>(common());
        properties.put("spring.application.name", name);
        properties.putAll(defaults);
        spring.setDefaultProperties(properties);
        return spring;
    }

    /// Defaults of every service.
    private static Map<String, Object> common() {
        return Map.ofEntries(
                Map.entry("server.shutdown", "graceful"),
                Map.entry("spring.lifecycle.timeout-per-shutdown-phase", "30s"),
                Map.entry("spring.threads.virtual.enabled", "true"),
                Map.entry("spring.jmx.enabled", "false"),
                Map.entry("spring.main.log-startup-info", "false"),
                Map.entry("management.endpoints.web.exposure.include", "health,info,prometheus,metrics"),
                Map.entry("management.endpoint.health.probes.enabled", "true"),
                Map.entry("management.endpoint.health.show-details", "always"),
                Map.entry("management.endpoint.health.group.liveness.include", "loops"),
                Map.entry("management.endpoint.health.group.readiness.include", "readinessState,service"),
                Map.entry("management.metrics.use-global-registry", "false"),
                Map.entry("springdoc.api-docs.enabled", "false"),
                Map.entry("springdoc.swagger-ui.enabled", "false"),
                // What the ZooKeeper client says of its environment and of each connection; the session reports itself.
                Map.entry("logging.level.org.apache.zookeeper", "warn"),
                // It would say with each attempt, once a second, that ZooKeeper is away.
                Map.entry("logging.level.org.apache.zookeeper.ClientCnxn", "error"),
                // A stack trace for each vain look-up of a name; whoever waits for ZooKeeper says so itself.
                Map.entry("logging.level.org.apache.zookeeper.client.StaticHostProvider", "off"),
                Map.entry("logging.level.org.apache.curator", "warn"),
                // What Spring and Tomcat say on every start, and of a failure that is reported anyway.
                Map.entry("logging.level.org.apache.catalina", "warn"),
                Map.entry("logging.level.org.springframework.boot.autoconfigure.logging", "warn"),
                Map.entry("logging.level.org.springframework.boot.web.server.servlet.context", "error"),
                Map.entry("logging.level.org.springframework.boot.actuate.endpoint.web", "warn"),
                Map.entry("logging.level.org.springframework.boot.web.context", "warn"),
                Map.entry("logging.level.org.springframework.web.servlet", "warn"),
                // Trace ids are for logs; whoever wants spans elsewhere adds an exporter, and this.
                Map.entry("management.tracing.sampling.probability", "0"),
                Map.entry("logging.pattern.console", "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level [%thread] %logger{0} - "
                        + "%msg" + TRACE + "%n%wEx"));
    }
}
