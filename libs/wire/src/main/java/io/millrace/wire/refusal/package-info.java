/// What a refused request looks like, API by API: every part of the answer carries the error, since that is where clients
/// look. Pure.
@NullMarked
package io.millrace.wire.refusal;

import org.jspecify.annotations.NullMarked;
