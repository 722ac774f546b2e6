/// Measures transactions: see `bench/transactions`.
@NullMarked
package io.millrace.bench.transactions;

import org.jspecify.annotations.NullMarked;
