package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;

import io.millrace.tests.program.Home;
import io.millrace.tests.program.KafkaRelease;
import io.millrace.tests.program.Program;
import io.millrace.tests.program.Required;

/// A client library of its own process. All its programs take the commands of [JavaClient].
enum ExternalClient {
    JAVA_2_6("none gzip snappy lz4 zstd") {
        @Override
        Program program() {
            return KafkaRelease.KAFKA_2_6.program(JavaClient.class.getName(), Home.classes());
        }
    },
    /// Its other codecs are add-ons of others.
    KAFKA_JS("none gzip") {
        @Override
        Program program() {
            Required.check(works("node", "--version") && works("npm", "--version"),
                    "node and npm (Debian: nodejs, npm)");
            return Program.of(List.of("node", installed().resolve("client.js").toString()));
        }
    },
    /// Its other codecs are add-ons of others.
    PYTHON("none gzip") {
        @Override
        Program program() {
            Required.check(works("/usr/bin/python3", "-c", "import kafka"), "kafka-python (Debian: python3-kafka)");
            return Program.of(List.of("/usr/bin/python3", Home.tests("src", "test", "python", "client.py").toString()));
        }
    };

    private static final int NPM_TRIES = 3;

    private final String codecs;

    ExternalClient(String codecs) {
        this.codecs = codecs;
    }

    /// The program; the test is skipped where it is not installed.
    abstract Program program();

    List<String> codecs() {
        return List.of(codecs.split(" ", -1));
    }

    void create(String bootstrap, String topic, int partitions) {
        program().with("create", bootstrap, topic, String.valueOf(partitions)).run().succeeded();
    }

    void produce(String bootstrap, String topic, String codec, List<Message> messages) {
        String lines = messages.stream().map(it -> it.line() + "\n").collect(Collectors.joining());
        program().with("produce", bootstrap, topic, codec).run(lines).succeeded();
    }

    List<Message> consume(String bootstrap, String topic, String group, int count) {
        return program().with("consume", bootstrap, topic, group, String.valueOf(count)).run().succeeded().lines()
                .stream()
                .map(Message::parse).toList();
    }

    private static boolean works(String... command) {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// A folder with the program and KafkaJS beside it, made once a build.
    private static Path installed() {
        Path source = Home.tests("src", "test", "js");
        Path target = Home.tests("target", "js");
        try {
            Files.createDirectories(target);
            for (String file : List.of("client.js", "package.json", "package-lock.json")) {
                Files.copy(source.resolve(file), target.resolve(file), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (int i = 0; i < NPM_TRIES && !Files.exists(target.resolve("node_modules/kafkajs/package.json")); i++) {
            Program.of(List.of("npm", "ci", "--silent", "--no-audit", "--no-fund", "--prefix", target.toString()))
                    .run();
        }
        Path installed = target.resolve("node_modules/kafkajs/package.json");
        Required.check(Files.exists(installed), "KafkaJS (npm ci, from the npm registry)");
        assertThat(installed).exists();
        return target;
    }
}
