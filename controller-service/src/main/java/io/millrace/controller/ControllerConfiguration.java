package io.millrace.controller;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.lifecycle.HttpAddress;
import io.millrace.service.lifecycle.LivenessCheck;
import io.millrace.service.lifecycle.ReadinessCheck;
import io.millrace.service.lifecycle.ServiceLifecycle;
import io.millrace.service.lifecycle.StartRefused;
import io.millrace.service.membership.Membership;
import io.millrace.service.metrics.Telemetry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/// The controller's parts as Spring sees them.
@Configuration(proxyBeanMethods = false)
class ControllerConfiguration {

    @Bean
    ControllerProperties controllerProperties(Environment environment, ServerSettings settings) {
        return ControllerProperties.of(environment, settings);
    }

    @Bean(destroyMethod = "close")
    Znodes znodes(ControllerProperties properties, ServerSettings settings, MeterRegistry meters)
            throws InterruptedException {
        var connect = settings.findString("zookeeper.connect").orElseThrow(() -> new StartRefused(
                "kafka.zookeeper.connect: not set; it names the ensemble, host:port[,host:port][/chroot]"));
        try {
            return Membership.zookeeper("controller-" + properties.nodeId(), settings, meters);
        } catch (IllegalArgumentException failure) {
            throw new StartRefused("kafka.zookeeper.connect: " + connect + ": " + failure.getMessage());
        }
    }

    @Bean
    ControllerNode controllerNode(ControllerProperties properties, ServerSettings settings, HttpAddress http,
            Znodes znodes, Telemetry telemetry) {
        return new ControllerNode(properties, settings, new ControllerNode.Addresses() {
            @Override
            public String host() {
                return http.host();
            }

            @Override
            public String http() {
                return http.url();
            }
        }, znodes, telemetry);
    }

    @Bean
    ReadinessCheck controllerReadiness(ControllerNode node) {
        return new ReadinessCheck("controller", node::whyNotReady);
    }

    @Bean
    LivenessCheck controllerLiveness(ControllerProperties properties, ControllerNode node) {
        return LivenessCheck.of("controller-" + properties.nodeId(), node.loop());
    }

    @Bean
    ServiceLifecycle lifecycle(ControllerProperties properties, ControllerNode node) {
        return new ServiceLifecycle("controller-" + properties.nodeId(), node.steps(), Ticker.SYSTEM);
    }
}
