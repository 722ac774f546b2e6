package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.millrace.tests.program.Home;
import io.millrace.tests.program.Program;
import io.millrace.tests.program.Required;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// The lines of `docs/admin-api.md` do what the page says, one after the other, on other ports.
@ParameterizedClass
@EnumSource(Mode.class)
@UsesClusters
class AdminApiPageIT {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```\n(.*?)^```$");

    private final Cluster cluster;

    AdminApiPageIT(Mode mode, Clusters clusters) {
        this.cluster = clusters.of(mode);
    }

    @Test
    void everyLineOfThePageWorksAsPrinted() throws IOException {
        for (var program : List.of("curl", "kcat")) {
            Required.check(Program.of(List.of("which", program)).run().exitCode() == 0, program);
        }
        var result = Program.of(List.of("bash", "-exo", "pipefail")).run(lines());

        assertThat(result.exitCode()).as(result.all()).isZero();
        assertThat(result.out()).contains("KafkaClusterList", "\"total_lag\":0").doesNotContainPattern(
                "\"error_code\":(?!200)");
    }

    /// Without the one block that is an answer; curl fails where the answer is an error.
    private String lines() throws IOException {
        return BLOCK.matcher(Files.readString(Home.root().resolve("docs/admin-api.md"))).results()
                .map(MatchResult::group).map(block -> block.replaceAll("(?m)^```$", ""))
                .filter(block -> !block.contains("error_code"))
                .collect(Collectors.joining())
                .replace("http://127.0.0.1:9143", cluster.status().admin())
                .replace("127.0.0.1:9092", cluster.bootstrap())
                .replace("curl -s ", "curl -sf --show-error ") + "echo $(curl -s $api/v3/clusters)\n";
    }
}
