package io.millrace.controller.election;

import io.millrace.controller.core.Office;

/// Who takes up the office once it is won. Called on the controller's loop.
public interface OfficeHolder {

    /// It stands for the office, from the start and again after each term: the time to prepare.
    void standsBy();

    /// The office is won.
    ///
    /// @param onDeposed to be called on the loop once a guarded write showed that another controller took over
    void elected(Office office, Runnable onDeposed);

    /// The office is lost or given up: from now on nothing may be written in its name.
    void resigned();
}
