/// Transactions: what their coordinators know, what partitions know of producers, and how both are ended by hand.
@NullMarked
package io.millrace.admin.transaction;

import org.jspecify.annotations.NullMarked;
