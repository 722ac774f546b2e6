package io.millrace.admin;

import java.io.IOException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.filter.OncePerRequestFilter;

/// `/kafka/v3/…` is `/v3/…`: Confluent's server is found under either, so its clients use either.
class ConfluentPathAlias extends OncePerRequestFilter {
    private static final String PREFIX = "/kafka";

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getRequestURI().startsWith(PREFIX + "/v3/");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        request.getRequestDispatcher(request.getRequestURI().substring(PREFIX.length())).forward(request, response);
    }
}
