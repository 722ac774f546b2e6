package io.millrace.wire.connection;

/// Where a connection is in its life.
///
///     Open ──client ended its side, drain──► Finishing ──nothing in hand──► Closed
///     (any) ──broken──► Closed
sealed interface ConnectionState {

    /// Requests are taken and answered.
    record Open() implements ConnectionState {}

    /// No further request is taken; those in hand are answered, then the connection is closed.
    record Finishing(String reason) implements ConnectionState {}

    /// Nothing is taken or sent; answers that still come are given up.
    record Closed(String reason) implements ConnectionState {}

    /// What happens to a connection.
    sealed interface Event {

        /// The client has closed its side, and all it had sent was taken.
        record InputEnded() implements Event {}

        /// The server stops.
        record DrainAsked() implements Event {}

        /// All requests taken are answered, and the answers sent.
        record NothingInHand() implements Event {}

        /// It cannot be used any longer, or is not there any longer.
        record Broken(String reason) implements Event {}
    }

    static ConnectionState next(ConnectionState now, Event event) {
        return switch (now) {
            case Closed closed -> closed;
            case Open open -> switch (event) {
                case Event.InputEnded _ -> new Finishing("client ended");
                case Event.DrainAsked _ -> new Finishing("drained");
                case Event.NothingInHand _ -> open;
                case Event.Broken(String reason) -> new Closed(reason);
            };
            case Finishing finishing -> switch (event) {
                case Event.InputEnded _,Event.DrainAsked _ -> finishing;
                case Event.NothingInHand _ -> new Closed(finishing.reason());
                case Event.Broken(String reason) -> new Closed(reason);
            };
        };
    }
}
