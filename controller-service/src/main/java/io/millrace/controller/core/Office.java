package io.millrace.controller.core;

/// One term of the active controller, as won by election.
///
/// @param controllerId who holds it
/// @param epoch the value of `/controller_epoch` that it won
/// @param epochVersion zkVersion of `/controller_epoch`, which guards every write of this term
public record Office(int controllerId, int epoch, int epochVersion) {}
