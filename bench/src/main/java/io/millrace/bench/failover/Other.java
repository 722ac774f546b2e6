package io.millrace.bench.failover;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.kafka.clients.admin.Admin;

/// Any other cluster, by commands in which `{id}` stands for the broker. A broker is its controller, and known to clients
/// as such.
final class Other implements Target {

    private final String bootstrap;
    private final String pidCommand;
    private final String startCommand;
    private int lastController;

    Other(String bootstrap, String pidCommand, String startCommand) {
        this.bootstrap = bootstrap;
        this.pidCommand = pidCommand;
        this.startCommand = startCommand;
    }

    @Override
    public String bootstrap() {
        return bootstrap;
    }

    @Override
    public long broker(int id) {
        return Long.parseLong(run(pidCommand, id).out());
    }

    private static Shell.Result run(String command, int id) {
        return Shell.run(List.of("bash", "-c", command.replace("{id}", String.valueOf(id))));
    }

    @Override
    public long controller() {
        lastController = controllerId();
        return broker(lastController);
    }

    private int controllerId() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            return admin.describeCluster().controller().get(1, TimeUnit.MINUTES).id();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("no controller is named", e);
        }
    }

    @Override
    public boolean isController(int broker) {
        return controllerId() == broker;
    }

    @Override
    public boolean startBroker(int id) {
        return run(startCommand, id).exitCode() == 0;
    }

    @Override
    public void startController() {
        startBroker(lastController);
    }
}
