package io.millrace.metadata.command;

/// Has others own what a coordinator owns, for as long as that life of it lasts: it is given nothing, and keeps each shard until
/// a successor is ready. It ends with a restart of the coordinator, or where it is asked to. Where nobody else serves it has no
/// effect until somebody does. Harmless when repeated. Refused with ELIGIBLE_LEADERS_NOT_AVAILABLE where no other coordinator
/// serves, with BROKER_ID_NOT_REGISTERED where there is no such coordinator.
///
/// @param drained false gives it its share again
public record DrainCoordinator(int nodeId, boolean drained) implements Command<DrainCoordinator.Result> {
    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// @param remaining shards that it owns now
    public record Result(int remaining) {}
}
