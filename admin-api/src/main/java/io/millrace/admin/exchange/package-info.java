/// What every exchange has in common, whatever it is about: how fresh the answer is, writes that may be repeated, pages of
/// lists, bodies of errors that no controller was reached for. On the thread of the request.
@NullMarked
package io.millrace.admin.exchange;

import org.jspecify.annotations.NullMarked;
