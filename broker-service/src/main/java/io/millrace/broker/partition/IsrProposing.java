package io.millrace.broker.partition;

import java.util.List;

/// How far a leader is with changing its ISR. Only [IsrClaim] moves it:
///
///     Idle ──► Asked ──(answered: the new state is known)──► Idle
///                └──(refused)──► Declined ──(its time has come)──► Asked
///
/// A newer partition state, from wherever it comes, makes it Idle: what was proposed has been answered by it.
public sealed interface IsrProposing {

    /// Nothing is proposed.
    record Idle() implements IsrProposing {}

    /// The controller was or is being asked.
    ///
    /// @param tries how many refusals came before, within this partition epoch
    /// @param unanswered whether it was sent before without an answer, so that it may have been carried out
    record Asked(List<Integer> isr, int tries, boolean unanswered) implements IsrProposing {
        public Asked {
            isr = List.copyOf(isr);
        }
    }

    /// The controller knows better, and what it knows is on its way here. Where it does not come, the leader asks again at
    /// `retryNanos`, so that nothing stays as it is for ever.
    record Declined(int tries, long retryNanos) implements IsrProposing {}
}
