package io.millrace.service.protocol;

import org.apache.kafka.common.acl.AclOperation;

/// What a client may do, as the bit field that Metadata and DescribeCluster carry. Nothing is forbidden so far.
final class AuthorizedOperations {
    /// Where a client did not ask.
    static final int NOT_ASKED = Integer.MIN_VALUE;

    static final int OF_TOPIC = bits(AclOperation.READ, AclOperation.WRITE, AclOperation.CREATE, AclOperation.DELETE,
            AclOperation.ALTER, AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS, AclOperation.ALTER_CONFIGS);

    static final int OF_CLUSTER = bits(AclOperation.CREATE, AclOperation.CLUSTER_ACTION, AclOperation.DESCRIBE_CONFIGS,
            AclOperation.ALTER_CONFIGS, AclOperation.IDEMPOTENT_WRITE, AclOperation.ALTER, AclOperation.DESCRIBE);

    private AuthorizedOperations() {}

    private static int bits(AclOperation... operations) {
        int bits = 0;
        for (var operation : operations) {
            bits |= 1 << operation.code();
        }
        return bits;
    }
}
