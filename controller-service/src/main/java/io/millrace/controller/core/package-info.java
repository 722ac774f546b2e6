/// The one queue of the active controller: event → pure decision → guarded writes → records → publication. Decisions
/// ([io.millrace.controller.core.Decider]) are pure; the shell ([io.millrace.controller.core.Reign]) runs on one loop
/// and takes the next event only once the writes of the one before are in ZooKeeper.
@NullMarked
package io.millrace.controller.core;

import org.jspecify.annotations.NullMarked;
