package io.millrace.admin.operation;

/// What an operation is for.
public enum OperationType {
    REASSIGNMENT, BALANCE, DRAIN_LEADERS, RESUME_LEADERS, DECOMMISSION, RESIGN_CONTROLLER, DRAIN_COORDINATOR, BALANCE_COORDINATORS, MOVE_LOGS
}
