package io.millrace.admin.exchange;

import java.io.IOException;

import io.micrometer.tracing.Tracer;
import io.millrace.base.loop.Ticker;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.springframework.core.Ordered;
import org.springframework.http.HttpMethod;
import org.springframework.web.filter.OncePerRequestFilter;

/// Says with each answer by which trace id the lines of log that belong to the call are found, here and on the controller,
/// and writes the line of this service: at INFO for what may change something.
@Slf4j
@RequiredArgsConstructor
public final class CallFilter extends OncePerRequestFilter implements Ordered {
    /// The trace id of the call: the caller's own where it sent a `traceparent`.
    public static final String TRACE_ID = "X-Trace-Id";
    /// Within the filter that opens the span of the call, and outside of all that may answer.
    private static final int AFTER_OBSERVATION = HIGHEST_PRECEDENCE + 2;

    private final Tracer tracer;

    @Override
    public int getOrder() {
        return AFTER_OBSERVATION;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getRequestURI().startsWith("/v3/") && !request.getRequestURI().startsWith("/kafka/");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        var span = tracer.currentSpan();
        if (span != null && !span.context().traceId().isEmpty()) {
            response.setHeader(TRACE_ID, span.context().traceId());
        }
        long from = Ticker.SYSTEM.nanos();
        try {
            chain.doFilter(request, response);
        } finally {
            report(request, response.getStatus(), Ticker.SYSTEM.since(from).toMillis());
        }
    }

    private static void report(HttpServletRequest request, int status, long millis) {
        var method = request.getMethod();
        if (HttpMethod.GET.matches(method) || HttpMethod.HEAD.matches(method)) {
            log.debug("event=call method={} path={} status={} millis={}", method, request.getRequestURI(), status,
                    millis);
        } else {
            log.info("event=call method={} path={} status={} millis={}", method, request.getRequestURI(), status,
                    millis);
        }
    }
}
