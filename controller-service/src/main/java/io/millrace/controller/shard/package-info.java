/// Which coordinator owns which shard: even, sticky, with an epoch that goes up at each handover. Pure.
@NullMarked
package io.millrace.controller.shard;

import org.jspecify.annotations.NullMarked;
