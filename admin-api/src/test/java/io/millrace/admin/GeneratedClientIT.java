package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.command.TopicOutcome;
import io.millrace.metadata.image.TopicImage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// A client that openapi-generator makes of the committed document compiles and works against a running service.
@SpringBootTest(classes = Rest.Application.class, webEnvironment = WebEnvironment.RANDOM_PORT, properties = "server.address=127.0.0.1")
@TestPropertySource("classpath:io/millrace/admin/admin-api.properties")
class GeneratedClientIT {
    private static final Path GENERATOR = Path.of("target/tools/openapi-generator-cli.jar").toAbsolutePath();
    private static final Path DOCUMENT = Path.of("../docs/openapi.yaml").toAbsolutePath().normalize();
    private static final long LIMIT_MINUTES = 5;
    private static final UUID MADE = new UUID(5, 5);

    @LocalServerPort
    private int port;
    @Autowired
    private FakeCluster fake;

    @Test
    void clientMadeOfTheDocumentCreatesListsAndDeletesATopic(@TempDir Path home) throws Exception {
        fake.reset();
        fake.answer(CreateTopics.class, _ -> {
            fake.add(TopicImage.of("made", MADE).with(FakeCluster.partition(0, 0)));
            return new CreateTopics.Result(List.of(new TopicOutcome("made", MADE, (short) 0, null, 1, 1)));
        });
        fake.answer(DeleteTopics.class, _ -> {
            fake.remove("made");
            return new DeleteTopics.Result(List.of(new TopicOutcome("made", MADE, (short) 0, null, 1, 1)));
        });
        generate(home);
        var classes = compile(home);

        try (var loader = new URLClassLoader(new URL[]{classes.toUri().toURL()}, getClass().getClassLoader())) {
            var told = loader.loadClass("walk.Walk").getMethod("walk", String.class).invoke(null, "http://127.0.0.1:"
                    + port);
            assertThat((List<?>) told).hasToString(
                    "[created made, created once more made, listed [made, orders], left [orders], refused 404 "
                            + "{\"error_code\":40403,\"message\":\"Topic made cannot be found.\"}]");
        }
        assertThat(fake.commands).hasSize(2);
    }

    private static void generate(Path home) throws IOException, InterruptedException {
        var log = home.resolve("generator.log");
        var process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", GENERATOR.toString(), "generate", "-g", "java",
                "--library", "native", "-i", DOCUMENT.toString(), "-o", home.resolve("client").toString(),
                "--additional-properties=openApiNullable=false,useJakartaEe=true", "--global-property",
                "apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false")
                .redirectErrorStream(true).redirectOutput(log.toFile()).start();
        boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
        process.destroyForcibly();
        assertThat(ended && process.exitValue() == 0).as(Files.readString(log)).isTrue();
    }

    private Path compile(Path home) throws IOException {
        var program = home.resolve("walk/Walk.java");
        Files.createDirectories(program.getParent());
        try (var text = getClass().getResourceAsStream("Walk.java.txt")) {
            Files.copy(java.util.Objects.requireNonNull(text), program);
        }
        var classes = Files.createDirectories(home.resolve("classes"));
        var compiler = ToolProvider.getSystemJavaCompiler();
        var said = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null);
                var sources = Files.walk(home.resolve("client/src/main/java"))) {
            var all = Stream.concat(Stream.of(program), sources.filter(file -> file.toString().endsWith(".java")))
                    .toList();
            boolean compiled = compiler.getTask(said, files, null, List.of("-proc:none", "-nowarn", "-d", classes
                    .toString(), "-cp", System.getProperty("java.class.path")), null, files.getJavaFileObjectsFromPaths(
                            all)).call();
            assertThat(compiled).as(said.toString()).isTrue();
            assertThat(all).hasSizeGreaterThan(100);
        }
        return classes;
    }
}
