package io.millrace.tests.cluster;

/// A cluster whose services can be hurt one by one.
public interface Services {

    /// The brokers, for clients.
    String bootstrap();

    /// Sends KILL to a service; when this returns, it has ended.
    void kill(String role, int id);

    /// Stops the process of a service, as a host does that hangs.
    void stop(String role, int id);

    /// Lets the process of a service go on.
    void resume(String role, int id);

    /// Asks a service to end; when this returns, it has done so.
    void terminate(String role, int id);

    /// Starts a service again; when this returns, it calls itself ready.
    void start(String role, int id);

    /// Kills a service and starts it again.
    default void bounce(String role, int id) {
        kill(role, id);
        start(role, id);
    }

    /// The id of the controller in office.
    ///
    /// @throws AssertionError if none says that it is
    int activeController();
}
