package io.millrace.broker.partition;

/// Is told what this broker has become for its partitions. On the thread that applies images, which waits for it: it only
/// hands on.
public interface RoleListener {
    /// Nobody wants to know.
    RoleListener NONE = new RoleListener() {
        @Override
        public void changed(Partition partition, ReplicaRole before, ReplicaRole now) {
            // Nobody wants to know.
        }

        @Override
        public void applied() {
            // Nobody wants to know.
        }
    };

    /// A role changed. A partition that comes here was [ReplicaRole#untold] before; one that goes away follows nobody now,
    /// and is not told of again.
    void changed(Partition partition, ReplicaRole before, ReplicaRole now);

    /// All changes of one image have been told.
    void applied();
}
