package io.millrace.service.metrics;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/// The JVM and the process under the names that the JMX exporter gives them, beside Micrometer's: dashboards of Kafka ask
/// for these. A dozen series.
final class JvmAliases implements MeterBinder {
    private static final double NANOS = 1e9;

    @Override
    public void bindTo(MeterRegistry registry) {
        for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            FunctionTimer.builder("jvm.gc.collection", collector, it -> it.getCollectionCount(), it -> it
                    .getCollectionTime(), TimeUnit.MILLISECONDS).tag("gc", collector.getName()).register(registry);
        }
        Gauge.builder("jvm.threads.current", ManagementFactory.getThreadMXBean(), it -> it.getThreadCount()).register(
                registry);
        var memory = ManagementFactory.getMemoryMXBean();
        memory(registry, "heap", memory, MemoryMXBean::getHeapMemoryUsage);
        memory(registry, "nonheap", memory, MemoryMXBean::getNonHeapMemoryUsage);
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            Gauge.builder("process.open.fds", system, it -> it.getOpenFileDescriptorCount()).register(registry);
            FunctionCounter.builder("process.cpu.seconds", system, it -> it.getProcessCpuTime() / NANOS).register(
                    registry);
        }
    }

    private static void memory(MeterRegistry registry, String area, MemoryMXBean memory,
            Function<MemoryMXBean, MemoryUsage> usage) {
        bytes(registry, "used", area, memory, usage, MemoryUsage::getUsed);
        bytes(registry, "committed", area, memory, usage, MemoryUsage::getCommitted);
        bytes(registry, "max", area, memory, usage, MemoryUsage::getMax);
    }

    private static void bytes(MeterRegistry registry, String name, String area, MemoryMXBean memory,
            Function<MemoryMXBean, MemoryUsage> usage, ToLongFunction<MemoryUsage> bytes) {
        Gauge.builder("jvm.memory.bytes." + name, memory, it -> bytes.applyAsLong(usage.apply(it))).tag("area", area)
                .register(registry);
    }
}
