package io.millrace.controller.election;

import io.millrace.controller.core.Office;

/// What a controller is with regard to the office.
///
///     Waiting ──nobody holds it──► Running ──won──► Holding ──resigned, deposed, session lost──► Waiting
///        ▲────────── lost ───────────┘
///     (any) ──closed──► Withdrawn
sealed interface Candidacy {

    /// Somebody else holds the office, or nobody knows: the next look decides.
    record Waiting() implements Candidacy {}

    /// A look or an attempt is under way.
    record Running() implements Candidacy {}

    /// The office is ours.
    ///
    /// @param czxid of `/controller`: another one there is another's
    record Holding(Office office, long czxid) implements Candidacy {}

    /// No candidate any more.
    record Withdrawn() implements Candidacy {}
}
