package io.millrace.tests.load;

import java.util.List;
import java.util.Map;

import io.millrace.tests.history.Transaction;

/// Writes transactions until it is closed.
sealed interface TransactionClient extends AutoCloseable permits TransactionalWriter, ClockedWriter {

    /// Those that it is through with, in their order.
    List<Transaction> transactions();

    /// What it complained of, and how often.
    Map<String, Integer> failures();

    @Override
    void close();
}
