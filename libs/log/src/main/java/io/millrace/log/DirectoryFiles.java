package io.millrace.log;

import java.io.IOException;

/// The files of a log directory that tell of each log in it. Both block, and are durable when they return.
interface DirectoryFiles {
    /// Of a log that is in no directory of a broker.
    DirectoryFiles NONE = new DirectoryFiles() {
        @Override
        public void writeCheckpoints() {}

        @Override
        public void writeCleanerCheckpoints() {}
    };

    /// Makes the checkpoint files say what [PartitionLog#checkpoint] says now.
    void writeCheckpoints() throws IOException;

    /// Makes them say how far each log is clean now.
    void writeCleanerCheckpoints() throws IOException;
}
