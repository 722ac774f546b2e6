package io.millrace.metadata.command;

/// Has the active controller give up its office, so that a standby takes over; it stands again once another holds it. One that
/// is of another term has nothing to give up, so that it is harmless when repeated. Refused with ELIGIBLE_LEADERS_NOT_AVAILABLE
/// where no standby is registered.
///
/// @param controllerId whose office is meant
/// @param epoch of that office
/// @param reason for the log
public record ResignController(int controllerId, int epoch, String reason)
        implements
            Command<ResignController.Result> {
    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// @param resigned whether it does so now; false where that term was over already
    public record Result(boolean resigned) {}
}
