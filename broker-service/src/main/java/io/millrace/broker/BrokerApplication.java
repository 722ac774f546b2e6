package io.millrace.broker;

import java.util.Map;

import io.millrace.service.ServiceConfiguration;
import io.millrace.service.lifecycle.ServiceApplication;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/// A broker in a process of its own, or beside others in one.
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ServiceConfiguration.class, BrokerConfiguration.class})
public class BrokerApplication {

    /// @param args Spring's, such as `--kafka.broker.id=0`
    public static void main(String[] args) {
        application().run(args);
    }

    /// The application, not yet started.
    public static SpringApplication application() {
        return ServiceApplication.of("broker-service", BrokerApplication.class, Map.of(
                "spring.jackson.property-naming-strategy", "SNAKE_CASE"));
    }
}
