/// Where and when work runs. State belongs to one [io.millrace.base.loop.Loop] and is touched on it or not at all; time
/// comes from a [io.millrace.base.loop.Ticker] (elapsed) or a [java.time.Clock] (wall), both passed in, so that tests run
/// on virtual time.
@NullMarked
package io.millrace.base.loop;

import org.jspecify.annotations.NullMarked;
