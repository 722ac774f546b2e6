package io.millrace.admin;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// `millrace.admin.*`.
///
/// @param advertisedUrl root of the URLs in answers, as people reach it; null: taken from each request
/// @param timeout the longest that a call waits for the rest of the cluster
/// @param hangingPace from one look for hanging transactions to the next; each asks all brokers and coordinators
@ConfigurationProperties("millrace.admin")
record AdminProperties(@Nullable String advertisedUrl, @DefaultValue("30s") Duration timeout,
        @DefaultValue("60s") Duration hangingPace) {}
