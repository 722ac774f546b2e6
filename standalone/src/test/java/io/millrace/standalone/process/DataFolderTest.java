package io.millrace.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.plan.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

    @TempDir
    private Path root;

    @Test
    void remembersThePlanUntilItIsForgotten() {
        var plan = new ClusterPlan(Mode.CLUSTER, 1, 3, 2, 9092, Map.of("kafka.num.partitions", "3"));
        DataFolder.create(root).remember(plan);

        assertThat(DataFolder.open(root).plan()).contains(plan);

        DataFolder.open(root).forgetPlan();
        assertThat(DataFolder.open(root).plan()).isEmpty();
    }

    @Test
    void aFolderThatHoldsSomethingElseIsRefusedAndLeftAsItIs() throws IOException {
        Files.writeString(root.resolve("letter.txt"), "Dear");

        assertThatExceptionOfType(Failed.class).isThrownBy(() -> DataFolder.create(root)).withMessageContaining(
                "not empty");

        assertThat(root.toFile().list()).containsExactly("letter.txt");
    }

    @Test
    void aFolderOfAnotherFormatIsRefused() throws IOException {
        Files.writeString(root.resolve("millrace.json"), "{\"format\": 2}");

        assertThatExceptionOfType(Failed.class).isThrownBy(() -> DataFolder.create(root)).withMessageContaining(
                "format 2");
        assertThatExceptionOfType(Failed.class).isThrownBy(() -> DataFolder.open(root)).withMessageContaining(
                "format 2");
    }

    @Test
    void aMarkThatIsNoJsonIsRefusedByItsName() throws IOException {
        Files.writeString(root.resolve("millrace.json"), "{");

        assertThatExceptionOfType(Failed.class).isThrownBy(() -> DataFolder.create(root))
                .withMessageContaining("millrace.json");
    }

    @Test
    void aFolderThatWasNeverUsedHasNoCluster() {
        assertThatExceptionOfType(Failed.class).isThrownBy(() -> DataFolder.open(root))
                .satisfies(it -> assertThat(it.exitCode()).isEqualTo(3));
    }
}
