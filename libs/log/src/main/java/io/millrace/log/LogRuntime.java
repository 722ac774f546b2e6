package io.millrace.log;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;

import io.millrace.base.loop.Ticker;
import io.millrace.log.disk.Background;
import io.millrace.log.disk.Disk;
import io.millrace.log.disk.Remover;

/// What logs need of the process around them; one for all logs of a broker.
///
/// @param clock wall time: LogAppendTime, retention
/// @param ticker elapsed time: how long an fsync took
/// @param background where fsync and deletion run
/// @param remover deletes what may be large
/// @param failures told of each failure of a disk
/// @param groupCommit whether what is appended counts as there ([PartitionLog#durableEnd]) only once it is synced, and is
///        synced at once: all appends that come while one fsync is under way share the next
/// @param producerExpiry `producer.id.expiration.ms`: how long a producer that is silent is remembered, as it holds now
public record LogRuntime(Disk disk, Clock clock, Ticker ticker, Background background, Remover remover,
        LogMetrics metrics,
        FailureListener failures, Supplier<Duration> producerExpiry, boolean groupCommit) {

    /// With a remover of its own.
    public LogRuntime(Disk disk, Clock clock, Ticker ticker, Background background, LogMetrics metrics,
            FailureListener failures, Supplier<Duration> producerExpiry, boolean groupCommit) {
        this(disk, clock, ticker, background, new Remover(disk, background), metrics, failures, producerExpiry,
                groupCommit);
    }

    /// Is told that the log in `directory` met a disk that fails. That log refuses appends from then on. Called on the
    /// thread that met it, perhaps under the log's lock: must not block or call the log.
    @FunctionalInterface
    public interface FailureListener {
        void failed(Path directory, IOException failure);
    }
}
