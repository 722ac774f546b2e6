package io.millrace.admin.transaction;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/// @param startOffset where the transaction began in the partition
/// @param dryRun only says what would be ended
/// @param force ends it though its coordinator knows it, and may be about to commit it
@Schema(example = """
        {"producer_id": 4000, "start_offset": 17, "dry_run": true}""")
record AbortHangingRequest(@NotNull Long producerId, @NotNull Long startOffset, @Nullable Boolean dryRun,
        @Nullable Boolean force) {
    boolean isDry() {
        return Boolean.TRUE.equals(dryRun);
    }

    boolean isForced() {
        return Boolean.TRUE.equals(force);
    }
}
