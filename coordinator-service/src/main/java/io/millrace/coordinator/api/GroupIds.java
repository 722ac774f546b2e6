package io.millrace.coordinator.api;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.group.ClientIdentity;
import io.millrace.wire.api.ClientSoftware;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// What the handlers do alike with groups.
final class GroupIds {
    private GroupIds() {}

    /// @throws Refused where the name is empty, which only commits and fetches of offsets allow
    static void requireNamed(String groupId) {
        if (groupId.isEmpty()) {
            throw new Refused(Errors.INVALID_GROUP_ID, "a group needs a name");
        }
    }

    /// All answers, in the order of `futures`; fails where one of them does.
    static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(_ -> futures.stream().map(CompletableFuture::join).toList());
    }

    /// Who asks.
    static ClientIdentity client(RequestContext context) {
        var software = context.software();
        return new ClientIdentity(context.clientId(), "/" + context.client().getAddress().getHostAddress(),
                software.equals(ClientSoftware.UNKNOWN) ? "" : software.name() + " " + software.version());
    }
}
