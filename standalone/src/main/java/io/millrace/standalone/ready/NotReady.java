package io.millrace.standalone.ready;

/// Something does not work yet. The message says what, for people.
public final class NotReady extends Exception {

    private static final long serialVersionUID = 1L;

    NotReady(String message) {
        super(message, null, false, false);
    }
}
