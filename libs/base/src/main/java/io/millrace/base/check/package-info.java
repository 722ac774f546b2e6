/// Pre- and postconditions whose messages hold what one needs to find the spot.
@NullMarked
package io.millrace.base.check;

import org.jspecify.annotations.NullMarked;
