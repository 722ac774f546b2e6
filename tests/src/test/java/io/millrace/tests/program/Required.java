package io.millrace.tests.program;

import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Assumptions;

/// What to do where a client program is not installed: skip with one clear line, but fail where everything must be there.
public final class Required {

    private Required() {}

    /// Returns if `there`; else skips the test, or fails it with `CI=true` or `MILLRACE_REQUIRE_CLIENTS=true`.
    ///
    /// @param what the program, and where it comes from
    public static void check(boolean there, String what) {
        if (there) {
            return;
        }
        if (isTrue("CI") || isTrue("MILLRACE_REQUIRE_CLIENTS")) {
            fail("missing on this machine, and required: " + what);
        }
        Assumptions.abort("skipped, not installed: " + what);
    }

    private static boolean isTrue(String variable) {
        return "true".equals(System.getenv(variable));
    }
}
