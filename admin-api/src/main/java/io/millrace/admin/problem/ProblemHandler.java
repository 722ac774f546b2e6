package io.millrace.admin.problem;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import io.millrace.metadata.command.CommandRefused;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import tools.jackson.core.JacksonException;

/// The one place where a failed call gets its body.
@RestControllerAdvice
@Slf4j
public class ProblemHandler extends ResponseEntityExceptionHandler {

    @ExceptionHandler
    ResponseEntity<ErrorBody> onProblem(Problem problem) {
        return ResponseEntity.status(problem.status()).contentType(MediaType.APPLICATION_JSON).body(problem.body());
    }

    @ExceptionHandler
    ResponseEntity<ErrorBody> onFailure(Exception failure, WebRequest request) {
        return onProblem(problem(failure, request.getDescription(false)));
    }

    /// What a failure is to a client; what is this service's own fault, or its peers', is logged.
    ///
    /// @param request for the log
    public static Problem problem(Throwable failure, String request) {
        return switch (failure) {
            case Problem problem -> problem;
            case CompletionException wrapped when wrapped.getCause() != null -> problem(wrapped.getCause(), request);
            case Refused refused -> KafkaProblems.problem(refused.error(), refused.getMessage());
            case CommandRefused refused ->
                KafkaProblems.problem(Errors.forCode(refused.errorCode()), refused.getMessage());
            case TimeoutException _ -> Problem.timedOut("no answer in time; whether it took effect is not known");
            case IOException unreachable -> {
                log.warn("event=upstream-unreachable request=\"{}\" cause=\"{}\"", request,
                        unreachable.getMessage());
                yield KafkaProblems.problem(Errors.BROKER_NOT_AVAILABLE, "a node of the cluster cannot be reached");
            }
            default -> {
                log.error("event=request-failed request=\"{}\"", request, failure);
                yield Problem.of(HttpStatus.INTERNAL_SERVER_ERROR, 500,
                        "internal error; the log of this service has it");
            }
        };
    }

    /// Spring's own refusals (unknown path, wrong verb or media type, unreadable body), in our shape. They are JSON even
    /// for who accepts none: there is nothing else to say it in.
    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(Exception failure, @Nullable Object body,
            HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        var json = HttpHeaders.copyOf(headers);
        json.setContentType(MediaType.APPLICATION_JSON);
        return new ResponseEntity<>(new ErrorBody(status.value(), message(failure, status)), json, status);
    }

    private static String message(Exception failure, HttpStatusCode status) {
        return switch (failure) {
            case HttpMessageNotReadableException unreadable -> "the body is not the JSON that this call takes"
                    + (unreadable.getCause() instanceof JacksonException known ? place(known) : "");
            case MethodArgumentNotValidException invalid -> invalid.getFieldErrors().stream()
                    .map(error -> snakeCase(error.getField()) + " " + error.getDefaultMessage())
                    .sorted()
                    .collect(Collectors.joining("; "));
            case TypeMismatchException mismatch ->
                "'" + mismatch.getValue() + "' is not a value of " + mismatch.getPropertyName();
            case NoResourceFoundException _ -> "There is nothing at this path.";
            case ErrorResponse error when error.getBody().getDetail() != null -> error.getBody().getDetail();
            default -> HttpStatus.valueOf(status.value()).getReasonPhrase();
        };
    }

    /// Where in a body a failure is, for people; empty where that is not known.
    public static String place(JacksonException failure) {
        return failure.getPath().isEmpty() ? "" : "; look at " + path(failure);
    }

    private static String path(JacksonException failure) {
        return failure.getPath().stream()
                .map(step -> step.getPropertyName() == null
                        ? "[" + step.getIndex() + "]"
                        : "." + step.getPropertyName())
                .collect(Collectors.joining()).replaceFirst("^\\.", "");
    }

    /// As the fields are named in bodies.
    private static String snakeCase(String field) {
        return field.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }
}
