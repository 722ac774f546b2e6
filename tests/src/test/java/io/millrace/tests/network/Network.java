package io.millrace.tests.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.millrace.tests.program.Program;
import io.millrace.tests.program.Program.Result;

/// A star: every host has one link, to a hub that routes between them and to this process's own network. A cut is a rule
/// of the hub's. Hosts know each other by names that are given to them. Not for use by several threads.
public final class Network implements AutoCloseable {
    /// What a test class locks that makes one: their names are those of the process, so there is one at a time.
    public static final String RESOURCE = "network";

    private static final String PREFERENCE = "10";

    private final String id = "mr" + ProcessHandle.current().pid() % 1_000_000;
    private final String subnet = "10.93." + ProcessHandle.current().pid() % 250 + ".";
    private final String gateway = subnet + "254";
    private final String hub = id + "hub";
    private final Map<String, Host> hosts = new LinkedHashMap<>();
    private final Map<String, Host> names = new LinkedHashMap<>();
    private final Set<List<String>> cuts = new LinkedHashSet<>();

    private Network() {}

    /// Whether this process may make networks.
    public static boolean isPossible() {
        String probe = "mrprobe" + ProcessHandle.current().pid();
        try {
            return ip("netns", "add", probe).exitCode() == 0 && ip("-n", probe, "link", "add", probe.substring(7, 8)
                    + "a", "type", "veth", "peer", "name", probe.substring(7, 8) + "b").exitCode() == 0;
        } catch (UncheckedIOException e) {
            return false;
        } finally {
            remove(probe);
        }
    }

    private static void remove(String namespace) {
        try {
            ip("netns", "del", namespace);
        } catch (UncheckedIOException e) {
            // There is no ip, and so no namespace.
        }
    }

    /// A network with nothing in it but a way to it.
    public static Network create() {
        var network = new Network();
        try {
            network.addHub();
            return network;
        } catch (AssertionError e) {
            network.close();
            throw e;
        }
    }

    private void addHub() {
        require("netns", "add", hub);
        require("-n", hub, "link", "set", "lo", "up");
        Program.of(List.of("ip", "netns", "exec", hub, "sysctl", "-qw", "net.ipv4.ip_forward=1")).run().succeeded();
        require("link", "add", id + "r", "type", "veth", "peer", "name", id + "hr", "netns", hub);
        require("addr", "add", subnet + "253/32", "dev", id + "r");
        require("link", "set", id + "r", "up");
        attach(id + "hr", subnet + "253");
        require("route", "add", gateway, "dev", id + "r");
        require("route", "add", subnet + "0/24", "via", gateway, "dev", id + "r");
    }

    private void attach(String link, String address) {
        require("-n", hub, "addr", "add", gateway + "/32", "dev", link);
        require("-n", hub, "link", "set", link, "up");
        require("-n", hub, "route", "add", address, "dev", link);
    }

    /// A new host.
    public Host host(String name) {
        int number = hosts.size() + 1;
        var host = new Host(name, subnet + number, id + "n" + number);
        String link = id + "l" + number;
        String hubLink = id + "h" + number;
        require("netns", "add", host.namespace());
        hosts.put(name, host);
        require("link", "add", link, "netns", host.namespace(), "type", "veth", "peer", "name", hubLink, "netns", hub);
        require("-n", host.namespace(), "link", "set", "lo", "up");
        require("-n", host.namespace(), "addr", "add", host.address() + "/32", "dev", link);
        require("-n", host.namespace(), "link", "set", link, "up");
        attach(hubLink, host.address());
        require("-n", host.namespace(), "route", "add", gateway, "dev", link);
        require("-n", host.namespace(), "route", "add", "default", "via", gateway, "dev", link);
        tellNames(host);
        return host;
    }

    /// Gives a host a name, by which all hosts find it from now on and no longer whoever had the name before.
    public void name(String name, Host host) {
        names.put(name, host);
        hosts.values().forEach(this::tellNames);
    }

    /// What `ip netns exec` shows to the processes of a host in place of /etc/hosts; it is written in its place, so that
    /// those who run already see it.
    private void tellNames(Host host) {
        var text = new StringBuilder();
        try {
            text.append(Files.readString(Path.of("/etc/hosts")));
            names.forEach((name, named) -> text.append(named.address()).append(' ').append(name).append('\n'));
            Files.createDirectories(files(host));
            Files.writeString(files(host).resolve("hosts"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path files(Host host) {
        return Path.of("/etc/netns", host.namespace());
    }

    private static void removeFiles(Host host) {
        try {
            Files.deleteIfExists(files(host).resolve("hosts"));
            Files.deleteIfExists(files(host));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Lets nothing through between the two any more, in neither direction.
    public void cut(Host one, Host other) {
        cutWay(one, other);
        cutWay(other, one);
    }

    /// Lets nothing through from one host to the other; what the other sends arrives.
    public void cutWay(Host from, Host to) {
        var rule = List.of("pref", PREFERENCE, "from", from.address(), "to", to.address(), "blackhole");
        if (cuts.add(rule)) {
            rule("add", rule);
        }
    }

    /// Lets everything through again.
    public void heal() {
        cuts.forEach(it -> rule("del", it));
        cuts.clear();
    }

    private void rule(String verb, List<String> rule) {
        var command = new ArrayList<>(List.of("-n", hub, "rule", verb));
        command.addAll(rule);
        require(command.toArray(String[]::new));
    }

    private static void require(String... arguments) {
        ip(arguments).succeeded();
    }

    private static Result ip(String... arguments) {
        return Program.of(List.of("ip")).with(arguments).run();
    }

    /// Takes it all down; whatever still runs there loses its network.
    @Override
    public void close() {
        ip("link", "del", id + "r");
        hosts.values().forEach(it -> ip("netns", "del", it.namespace()));
        hosts.values().forEach(Network::removeFiles);
        ip("netns", "del", hub);
    }
}
