package io.millrace.admin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

import io.millrace.service.ServiceConfiguration;
import io.millrace.service.lifecycle.ServiceApplication;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/// The admin API in a process of its own, or beside others in one.
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ServiceConfiguration.class, AdminConfiguration.class, RestConfiguration.class})
public class AdminApplication {
    private static final String DEFAULTS = "admin-api.properties";

    /// @param args Spring's, such as `--kafka.zookeeper.connect=…`
    public static void main(String[] args) {
        application().run(args);
    }

    private static Map<String, Object> defaults() {
        try {
            var defaults = new HashMap<String, Object>();
            PropertiesLoaderUtils.loadProperties(new ClassPathResource(DEFAULTS, AdminApplication.class))
                    .forEach((key, value) -> defaults.put(key.toString(), value));
            return defaults;
        } catch (IOException broken) {
            throw new UncheckedIOException(DEFAULTS + " is part of this jar", broken);
        }
    }

    /// The application, not yet started.
    public static SpringApplication application() {
        return ServiceApplication.of("admin-api", AdminApplication.class, defaults());
    }
}
