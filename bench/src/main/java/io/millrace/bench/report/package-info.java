/// What benches of several clusters share: their command line, and the table of their figures.
@NullMarked
package io.millrace.bench.report;

import org.jspecify.annotations.NullMarked;
