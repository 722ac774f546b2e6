package io.millrace.tests.cluster;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test class that takes [Clusters] and leaves their services alone; it may run beside any other.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Clusters.Extension.class)
@Order(2)
public @interface UsesClusters {
}
