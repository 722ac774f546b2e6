package io.millrace.admin.problem;

import org.springframework.http.HttpStatus;

/// An answer that is not the one asked for. Thrown on purpose: no stack trace.
public final class Problem extends RuntimeException {
    private static final int MOST_SHOWN = 100;

    private final HttpStatus status;
    private final int errorCode;

    private Problem(HttpStatus status, int errorCode, String message) {
        super(message, null, false, false);
        this.status = status;
        this.errorCode = errorCode;
    }

    /// A cluster, broker, group or other resource that is not there.
    public static Problem notFound(String message) {
        return new Problem(HttpStatus.NOT_FOUND, 404, message);
    }

    /// A topic or partition that is not there.
    public static Problem unknownTopicOrPartition(String message) {
        return new Problem(HttpStatus.NOT_FOUND, 40403, message);
    }

    /// A request that cannot be right whatever the state of the cluster.
    public static Problem badRequest(String message) {
        return new Problem(HttpStatus.BAD_REQUEST, 400, message);
    }

    /// A request that Kafka's rules refuse.
    public static Problem refusedByKafka(String message) {
        return new Problem(HttpStatus.BAD_REQUEST, 40002, message);
    }

    /// A state that stands against the request; it may succeed once that has changed.
    public static Problem conflict(String message) {
        return new Problem(HttpStatus.CONFLICT, 40902, message);
    }

    /// What was said of the state does not hold any more (`If-Match`).
    public static Problem stale(String message) {
        return new Problem(HttpStatus.PRECONDITION_FAILED, 41201, message);
    }

    /// More than this service takes at once.
    public static Problem tooLarge(String message) {
        return new Problem(HttpStatus.CONTENT_TOO_LARGE, 413, message);
    }

    /// Data that cannot be made bytes of.
    public static Problem unprocessable(String message) {
        return new Problem(HttpStatus.UNPROCESSABLE_CONTENT, 422, message);
    }

    /// A body of another kind than the call takes.
    public static Problem unsupportedMedia(String message) {
        return new Problem(HttpStatus.UNSUPPORTED_MEDIA_TYPE, 415, message);
    }

    /// More than this service does at a time.
    public static Problem tooMany(String message) {
        return new Problem(HttpStatus.TOO_MANY_REQUESTS, 42901, message);
    }

    /// What was there once, and is not kept for ever.
    public static Problem gone(String message) {
        return new Problem(HttpStatus.GONE, 410, message);
    }

    /// Words of a client, short enough to be said back to it.
    public static String shown(String text) {
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
    }

    /// No answer in time. Whether the call took effect is not known.
    public static Problem timedOut(String message) {
        return new Problem(HttpStatus.GATEWAY_TIMEOUT, 50401, message);
    }

    static Problem of(HttpStatus status, int errorCode, String message) {
        return new Problem(status, errorCode, message);
    }

    HttpStatus status() {
        return status;
    }

    /// What a client is told.
    public ErrorBody body() {
        return new ErrorBody(errorCode, String.valueOf(getMessage()));
    }
}
