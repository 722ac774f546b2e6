package io.millrace.tests.cluster;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/// A test class that takes [Clusters] and ends, stops or cuts off their services; those of its kind run one after the other.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Clusters.Extension.class)
@Order(1)
@ResourceLock(Clusters.RESOURCE)
public @interface DisturbsClusters {
}
