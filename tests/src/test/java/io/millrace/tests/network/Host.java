package io.millrace.tests.network;

import java.util.ArrayList;
import java.util.List;

/// A host of a [Network].
///
/// @param namespace that processes of this host run in
public record Host(String name, String address, String namespace) {

    /// The command, to be run on this host.
    public List<String> command(List<String> command) {
        var there = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        there.addAll(command);
        return there;
    }
}
