package io.millrace.controller;

import java.util.Map;

import io.millrace.service.ServiceConfiguration;
import io.millrace.service.lifecycle.ServiceApplication;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/// A controller in a process of its own, or beside others in one.
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ServiceConfiguration.class, ControllerConfiguration.class})
public class ControllerApplication {

    /// @param args Spring's, such as `--kafka.zookeeper.connect=…`
    public static void main(String[] args) {
        application().run(args);
    }

    /// The application, not yet started.
    public static SpringApplication application() {
        return ServiceApplication.of("controller-service", ControllerApplication.class, Map.of());
    }
}
