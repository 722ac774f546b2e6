package io.millrace.broker.partition;

import org.slf4j.Logger;

/// Lines of log about single partitions, as long as these are few: a broker that dies changes thousands within a moment, and
/// then how many there were says more. The rest is for DEBUG. For one thread.
public final class PartitionLines {
    private static final int MOST = 10;

    private final Logger log;
    private final String what;
    private int said;

    /// @param what happened to the partitions, for the line that counts them
    public PartitionLines(Logger log, String what) {
        this.log = log;
        this.what = what;
    }

    /// One more.
    public void say(String format, Object... arguments) {
        if (said++ < MOST) {
            log.info(format, arguments);
        } else {
            log.debug(format, arguments);
        }
    }

    /// Ends a run of lines: those left out are summed up in one.
    public void end() {
        if (said > MOST) {
            log.info("{} partitions={}", what, said);
        }
        said = 0;
    }
}
