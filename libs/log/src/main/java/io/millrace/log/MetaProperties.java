package io.millrace.log;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;

import io.millrace.log.disk.Disk;
import io.millrace.log.disk.ForeignDirectoryException;

/// The `meta.properties` file of a log directory, as Kafka writes it in ZooKeeper mode.
record MetaProperties(Disk disk, Path path) {
    static final String FILE_NAME = "meta.properties";

    /// Writes the file where it is missing.
    ///
    /// @throws ForeignDirectoryException where it names another broker or cluster
    void claim(LogDirectory.Identity identity) throws IOException {
        if (!disk.exists(path)) {
            disk.replace(path, "version=0\nbroker.id=%d\ncluster.id=%s\n".formatted(identity.brokerId(), identity
                    .clusterId()).getBytes(StandardCharsets.UTF_8));
            return;
        }
        var found = new Properties();
        found.load(new StringReader(new String(disk.read(path), StandardCharsets.UTF_8)));
        expect(found, "broker.id", Integer.toString(identity.brokerId()));
        expect(found, "cluster.id", identity.clusterId());
    }

    private void expect(Properties found, String key, String value) throws IOException {
        var there = found.getProperty(key, value);
        if (!there.equals(value)) {
            throw new ForeignDirectoryException("%s says %s=%s, this is %s".formatted(path, key, there, value));
        }
    }
}
