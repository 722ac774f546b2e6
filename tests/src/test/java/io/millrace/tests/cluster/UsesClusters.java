package io.millrace.tests.cluster;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/// A test class that takes [Clusters] and leaves their services alone; it may run beside others of its kind.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Clusters.Extension.class)
@Order(2)
@ResourceLock(value = Clusters.RESOURCE, mode = ResourceAccessMode.READ)
public @interface UsesClusters {
}
