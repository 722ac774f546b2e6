package io.millrace.coordinator;

import java.util.Map;

import io.millrace.service.ServiceConfiguration;
import io.millrace.service.lifecycle.ServiceApplication;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/// A coordinator in a process of its own, or beside others in one.
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ServiceConfiguration.class, CoordinatorConfiguration.class, TransactionConfiguration.class})
public class CoordinatorApplication {

    /// @param args Spring's, such as `--kafka.broker.id=1000`
    public static void main(String[] args) {
        application().run(args);
    }

    /// The application, not yet started.
    public static SpringApplication application() {
        return ServiceApplication.of("coordinator-service", CoordinatorApplication.class, Map.of());
    }
}
