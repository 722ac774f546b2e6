package io.millrace.bench.controller;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// ZooKeeper and controllers, each a process of its own with the class path of this one.
final class Processes implements AutoCloseable {
    private static final Pattern USED = Pattern.compile("used (\\d+)K");

    private final Path folder;
    private final int heapMegabytes;
    private final int zooKeeperPort = freePort();
    private final Process zooKeeper;
    private final Map<Integer, Process> controllers = new TreeMap<>();

    Processes(Path folder, int heapMegabytes) throws IOException {
        this.folder = folder;
        this.heapMegabytes = heapMegabytes;
        zooKeeper = start("zookeeper", 1_024, "io.millrace.standalone.zookeeper.ZooKeeperProcess", List.of("--address="
                + zooKeeper(), "--data=" + folder.resolve("zookeeper")));
    }

    String zooKeeper() {
        return "127.0.0.1:" + zooKeeperPort;
    }

    boolean isRunning(int id) {
        return controllers.containsKey(id);
    }

    void startController(int id) throws IOException {
        controllers.put(id, start("controller-" + id, heapMegabytes, "io.millrace.controller.ControllerApplication",
                List.of("--server.address=127.0.0.1", "--server.port=0", "--kafka.zookeeper.connect=" + zooKeeper(),
                        "--millrace.node.id=" + id, "--millrace.controller.stream.host=127.0.0.1",
                        "--millrace.controller.stream.port=0")));
    }

    /// How often a controller has said that it has all at hand that it needs to take over, in all its lives.
    long warmths(int id) throws IOException {
        var log = folder.resolve("controller-" + id + ".log");
        if (!Files.exists(log)) {
            return 0;
        }
        try (var lines = Files.lines(log)) {
            return lines.filter(line -> line.contains("standby is warm")).count();
        }
    }

    /// kill -9, and until it is gone.
    void kill(int id) throws InterruptedException {
        var process = controllers.remove(id);
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    /// What the heap of a controller holds after a collection, in mebibytes.
    long heapMegabytes(int id) throws IOException, InterruptedException {
        jcmd(id, "GC.run");
        var used = USED.matcher(jcmd(id, "GC.heap_info"));
        if (!used.find()) {
            throw new IOException("no heap in what jcmd says");
        }
        return Long.parseLong(used.group(1)) / 1_024;
    }

    private String jcmd(int id, String what) throws IOException, InterruptedException {
        var process = controllers.get(id);
        if (process == null) {
            throw new IOException("controller " + id + " does not run");
        }
        var jcmd = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(
                process.pid()), what).redirectErrorStream(true).start();
        var output = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        jcmd.waitFor();
        return output;
    }

    private Process start(String name, int heap, String main, List<String> arguments) throws IOException {
        var command = java(heap);
        command.add(main);
        command.addAll(arguments);
        Files.createDirectories(folder);
        var log = folder.resolve(name + ".log").toFile();
        return new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
    }

    /// As `bin/millrace` starts its processes, with the start-up cache where there is one.
    private static List<String> java(int heap) {
        var command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx"
                + heap + "m", "-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders", "--enable-native-access=ALL-UNNAMED"));
        var cache = System.getProperty("bench.cache", "");
        if (!cache.isEmpty() && Files.exists(Path.of(cache))) {
            command.add("-XX:AOTCache=" + cache);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        return command;
    }

    /// A node in a process of its own, up and running.
    Stalled stalledNode(int id) throws IOException {
        var command = java(heapMegabytes);
        // The cache is for classes that are not compiled at the start, as this one is.
        command.removeIf(each -> each.startsWith("-XX:AOTCache"));
        // Its standard output is for what it says to this process.
        command.addAll(List.of("-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"), Path
                .of(
                        System.getProperty("bench.source"), "StalledNode.java").toString(), zooKeeper(), Integer
                                .toString(id)));
        var process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        if (!"ready".equals(process.inputReader().readLine())) {
            throw new IOException("the node that is to be stopped did not start");
        }
        return new Stalled(process);
    }

    /// A process that is stopped for a while.
    record Stalled(Process process) implements AutoCloseable {
        void stop() throws IOException, InterruptedException {
            new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start().waitFor();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        controllers.values().forEach(Process::destroyForcibly);
        zooKeeper.destroyForcibly();
    }
}
