package io.millrace.admin.exchange;

import java.io.IOException;
import java.util.Locale;

import lombok.extern.slf4j.Slf4j;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/// What Tomcat itself refuses (a path that cannot be, a header that is too long), in our shape and not in HTML.
@Slf4j
public final class JsonErrorValve extends ErrorReportValve {
    private static final int FIRST_ERROR = 400;

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < FIRST_ERROR || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        var known = HttpStatus.resolve(status);
        var body = String.format(Locale.ROOT, "{\"error_code\":%d,\"message\":\"%s\"}", status, known == null
                ? "The request cannot be answered."
                : known.getReasonPhrase());
        try {
            response.setContentType("application/json");
            response.setCharacterEncoding("utf-8");
            var writer = response.getReporter();
            if (writer != null) {
                writer.write(body);
                response.finishResponse();
            }
        } catch (IOException gone) {
            log.debug("event=error-not-told status={} cause=\"{}\"", status, gone.getMessage());
        }
    }
}
