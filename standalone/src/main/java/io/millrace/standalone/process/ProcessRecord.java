package io.millrace.standalone.process;

/// A process that was started here.
///
/// @param name its name in the plan, `broker-0` or `standalone`
/// @param startTicks when it started, in the kernel's ticks since the machine's boot
/// @param boot the boot's id: ticks of another boot mean nothing
public record ProcessRecord(String name, long pid, long startTicks, String boot) {}
