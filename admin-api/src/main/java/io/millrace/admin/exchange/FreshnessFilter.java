package io.millrace.admin.exchange;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

import io.millrace.admin.problem.Problem;
import io.millrace.admin.upstream.Cluster;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import lombok.RequiredArgsConstructor;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/// Says with each answer which version of the metadata it is by, and how old that may be; `?min_offset=` waits for a version,
/// so that who changed something at one replica of this service reads it at any other.
@RequiredArgsConstructor
public final class FreshnessFilter extends OncePerRequestFilter {
    /// Sequence of the version that the answer is by.
    public static final String OFFSET = "X-Metadata-Offset";
    /// Milliseconds since this service last was up to date; 0 while it is.
    public static final String AGE = "X-Metadata-Age-Ms";
    private static final String WANTED = "min_offset";
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final HandlerExceptionResolver problems;

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getRequestURI().startsWith("/v3/");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            var wanted = request.getParameter(WANTED);
            if (wanted != null) {
                cluster.awaitOffset(offset(wanted), LONGEST_WAIT);
            }
        } catch (Problem | TimeoutException problem) {
            problems.resolveException(request, response, null, problem);
            return;
        }
        response.setHeader(OFFSET, Long.toString(cluster.image().version().sequence()));
        response.setHeader(AGE, Long.toString(cluster.ageMillis()));
        chain.doFilter(request, response);
    }

    private static long offset(String text) {
        try {
            long offset = Long.parseLong(text);
            if (offset >= 0) {
                return offset;
            }
        } catch (NumberFormatException _) {
            // said below
        }
        throw Problem.badRequest("'" + Problem.shown(text) + "' is not a value of " + WANTED);
    }
}
