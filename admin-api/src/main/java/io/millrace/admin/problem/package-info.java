/// Failures as JSON bodies with stable codes. Texts of bugs stay in the log; a client gets their kind only.
@NullMarked
package io.millrace.admin.problem;

import org.jspecify.annotations.NullMarked;
