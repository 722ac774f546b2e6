package io.millrace.admin.exchange;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletionException;

import io.millrace.admin.exchange.Repeats.Answer;
import io.millrace.admin.exchange.Repeats.Claim;
import io.millrace.admin.problem.Problem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.util.ContentCachingResponseWrapper;

/// `Idempotency-Key`: the same write under the same key is done once, and answered the same each time. What ended in a fault
/// (5xx) is not remembered, since its repeat may succeed.
@RequiredArgsConstructor
@Slf4j
public final class RepeatFilter extends OncePerRequestFilter {
    private static final String KEY = "Idempotency-Key";
    private static final String REPLAYED = "Idempotency-Replayed";
    private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH", "DELETE");
    private static final int LONGEST_KEY = 255;
    private static final int FAULT = 500;

    private final Repeats repeats;
    private final HandlerExceptionResolver problems;

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return request.getHeader(KEY) == null || !WRITES.contains(request.getMethod());
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        var key = request.getHeader(KEY);
        try {
            if (key.isBlank() || key.length() > LONGEST_KEY) {
                throw Problem.badRequest(KEY + " has 1 to " + LONGEST_KEY + " characters");
            }
            var kept = KeptBody.of(request);
            switch (repeats.claim(key, kept.digest())) {
                case Claim.First claim -> first(claim, kept, response, chain);
                case Claim.Repeated(Answer answer) -> replay(answer, response);
                case Claim.Other _ -> throw Problem.conflict(KEY + " was used for another request");
                case Claim.UnderWay _ -> throw Problem.conflict("the request of this " + KEY + " is still under way");
                case Claim.Lost _ -> throw Problem.conflict("the request of this " + KEY
                        + " was begun, and whether it took effect is not known");
            }
        } catch (Problem | CompletionException problem) {
            problems.resolveException(request, response, null, problem);
        }
    }

    private void first(Claim.First claim, KeptBody request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        var kept = new ContentCachingResponseWrapper(response);
        boolean done = false;
        try {
            chain.doFilter(request, kept);
            done = kept.getStatus() < FAULT;
        } finally {
            remember(claim, kept, done);
            kept.copyBodyToResponse();
        }
    }

    /// What cannot be told stays claimed: it must not be done twice.
    private void remember(Claim.First claim, ContentCachingResponseWrapper kept, boolean done) {
        try {
            if (done) {
                repeats.answered(claim, new Answer(kept.getStatus(), kept.getContentType(), kept.getHeader(
                        HttpHeaders.LOCATION), new String(kept.getContentAsByteArray(), StandardCharsets.UTF_8)));
            } else {
                repeats.forget(claim);
            }
        } catch (RuntimeException failure) {
            log.warn("event=answer-not-kept status={} cause=\"{}\"", kept.getStatus(), failure.toString());
        }
    }

    private static void replay(Answer answer, HttpServletResponse response) throws IOException {
        if (answer.body() == null) {
            throw Problem.conflict("the request of this " + KEY + " was carried out with status " + answer.status()
                    + "; its answer was too large to be kept");
        }
        response.setStatus(answer.status());
        response.setHeader(REPLAYED, "true");
        if (answer.contentType() != null) {
            response.setContentType(answer.contentType());
        }
        if (answer.location() != null) {
            response.setHeader(HttpHeaders.LOCATION, answer.location());
        }
        response.getOutputStream().write(answer.body().getBytes(StandardCharsets.UTF_8));
    }
}
