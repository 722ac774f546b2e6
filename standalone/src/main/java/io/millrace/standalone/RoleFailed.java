package io.millrace.standalone;

import io.millrace.standalone.plan.Role;

/// A role cannot start. The message is one line: which, and the innermost reason.
final class RoleFailed extends Exception {

    private static final long serialVersionUID = 1L;

    RoleFailed(Role role, Exception cause) {
        super(role.label() + " cannot start: " + reason(cause), cause);
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure.getCause();
        if (cause != null) {
            return reason(cause);
        }
        String message = failure.getMessage();
        return message == null ? failure.toString() : message.lines().findFirst().orElse("");
    }
}
