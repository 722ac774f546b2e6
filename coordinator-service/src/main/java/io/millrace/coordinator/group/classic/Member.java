package io.millrace.coordinator.group.classic;

import java.util.List;
import java.util.Optional;

import io.millrace.coordinator.group.ClientIdentity;
import io.millrace.coordinator.record.Bytes;
import io.millrace.coordinator.record.MemberSnapshot;
import org.jspecify.annotations.Nullable;

/// A member of a classic group.
///
/// @param instanceId of a static member (KIP-345), else null
/// @param terms what it asked for when it last joined
/// @param assignment of the last generation, empty where it got none
/// @param fresh it does not know its own id yet, since its first JoinGroup is still held: it cannot send heartbeats
public record Member(String id, @Nullable String instanceId, ClientIdentity client, Terms terms, Bytes assignment,
        boolean fresh, Waiting waiting) {

    /// @param protocols in the order of the member's preference
    public record Terms(int rebalanceTimeoutMillis, int sessionTimeoutMillis, List<Protocol> protocols) {
        public Terms {
            protocols = List.copyOf(protocols);
        }
    }

    /// Whether its client waits for the group to gather.
    public boolean awaitsJoin() {
        return waiting instanceof Waiting.ForJoin;
    }

    boolean isStatic() {
        return instanceId != null;
    }

    boolean supports(String protocol) {
        return metadataOf(protocol).isPresent();
    }

    Optional<Bytes> metadataOf(@Nullable String protocol) {
        return terms.protocols().stream().filter(known -> known.name().equals(protocol)).findFirst()
                .map(Protocol::metadata);
    }

    Member withTerms(Terms newTerms) {
        return new Member(id, instanceId, client, newTerms, assignment, fresh, waiting);
    }

    Member withAssignment(Bytes newAssignment) {
        return new Member(id, instanceId, client, terms, newAssignment, fresh, waiting);
    }

    Member withWaiting(Waiting newWaiting) {
        return new Member(id, instanceId, client, terms, assignment, fresh, newWaiting);
    }

    /// The same static member, come back as a new client.
    Member restartedAs(String newId, ClientIdentity newClient) {
        return new Member(newId, instanceId, newClient, terms, assignment, fresh, Waiting.NOTHING);
    }

    /// It got its answer, and so knows its id.
    Member joined() {
        return new Member(id, instanceId, client, terms, assignment, false, Waiting.NOTHING);
    }

    MemberSnapshot snapshot(@Nullable String protocol, Bytes newAssignment) {
        return new MemberSnapshot(id, instanceId, client.clientId(), client.host(), terms.rebalanceTimeoutMillis(),
                terms.sessionTimeoutMillis(), metadataOf(protocol).orElse(Bytes.EMPTY), newAssignment);
    }

    static Member restored(MemberSnapshot stored, String protocol) {
        var terms = new Terms(stored.rebalanceTimeoutMillis(), stored.sessionTimeoutMillis(),
                List.of(new Protocol(protocol, stored.subscription())));
        return new Member(stored.memberId(), stored.instanceId(),
                new ClientIdentity(stored.clientId(), stored.clientHost()), terms, stored.assignment(), false,
                Waiting.NOTHING);
    }
}
