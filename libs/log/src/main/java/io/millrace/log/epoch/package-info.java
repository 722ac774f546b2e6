/// The history of leader epochs of one log, its checkpoint file, and where a follower has to truncate (KIP-101, KIP-279).
@NullMarked
package io.millrace.log.epoch;

import org.jspecify.annotations.NullMarked;
