package io.millrace.bench.failover;

/// A running cluster, as far as the measurements need to lay hands on it.
interface Target {

    /// Where clients begin.
    String bootstrap();

    /// The process of a broker.
    long broker(int id);

    /// The process of the controller in office.
    long controller();

    /// Whether a broker may be the controller in office itself: such a one is not taken where a mere broker is meant.
    boolean isController(int broker);

    /// Starts a broker again that has ended, and does not wait until it serves longer than the system's own command does.
    ///
    /// @return whether the command succeeded
    boolean startBroker(int id);

    /// Starts the controller again that [#controller] named last.
    void startController();
}
