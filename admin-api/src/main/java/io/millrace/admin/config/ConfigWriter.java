package io.millrace.admin.config;

import java.util.List;

import io.millrace.admin.config.AlterConfigsRequest.Change;
import io.millrace.admin.config.AlterConfigsRequest.Kind;
import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.upstream.Cluster;
import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/// Has the controller change configurations; each all or none.
@RequiredArgsConstructor
final class ConfigWriter {
    private final Cluster cluster;

    /// Which values are set now, as an `ETag`.
    String tag(ConfigOwner owner) {
        return '"' + cluster.image().configs().tag(owner.resource()) + '"';
    }

    void set(ConfigOwner owner, String name, String value, @Nullable String ifMatch) {
        alter(owner, List.of(new Change(name, value, Kind.SET)), false, ifMatch);
    }

    void reset(ConfigOwner owner, String name, @Nullable String ifMatch) {
        alter(owner, List.of(new Change(name, null, Kind.DELETE)), false, ifMatch);
    }

    void alter(ConfigOwner owner, AlterConfigsRequest request, @Nullable String ifMatch) {
        alter(owner, request.data(), Boolean.TRUE.equals(request.validateOnly()), ifMatch);
    }

    private void alter(ConfigOwner owner, List<Change> changes, boolean validateOnly, @Nullable String ifMatch) {
        alter(List.of(alteration(owner, changes, ifMatch)), validateOnly);
    }

    /// Several at once: each all or none, and none at all where one is refused.
    void alter(List<ConfigAlteration> alterations, boolean validateOnly) {
        if (alterations.size() > 1) {
            check(alterations, true);
        }
        check(alterations, validateOnly);
    }

    private void check(List<ConfigAlteration> alterations, boolean validateOnly) {
        cluster.command(new AlterConfigs(alterations, validateOnly, false)).resources().forEach(outcome -> KafkaProblems
                .check(outcome.errorCode(), outcome.message()));
    }

    static ConfigAlteration alteration(ConfigOwner owner, List<Change> changes, @Nullable String ifMatch) {
        return new ConfigAlteration(owner.resource(), changes.stream().map(ConfigWriter::operation).toList(), expected(
                ifMatch));
    }

    /// `*` asks only that there is a resource, which all of them are.
    private static @Nullable String expected(@Nullable String ifMatch) {
        if (ifMatch == null || ifMatch.equals("*")) {
            return null;
        }
        var tag = ifMatch.startsWith("W/") ? ifMatch.substring(2) : ifMatch;
        if (tag.length() < 2 || !tag.startsWith("\"") || !tag.endsWith("\"")) {
            throw Problem.badRequest("If-Match is one ETag in quotes, or *");
        }
        return tag.substring(1, tag.length() - 1);
    }

    private static Op operation(Change change) {
        return new Op(change.name(), change.value(), kind(change.operation()));
    }

    private static OpType kind(@Nullable Kind kind) {
        return switch (kind) {
            case null -> OpType.SET;
            case SET -> OpType.SET;
            case DELETE -> OpType.DELETE;
            case APPEND -> OpType.APPEND;
            case SUBTRACT -> OpType.SUBTRACT;
        };
    }
}
