package io.millrace.tests.compatibility;

import java.io.IOException;
import java.util.List;

import io.millrace.tests.program.Home;
import io.millrace.tests.program.KafkaRelease;
import io.millrace.tests.program.Program;
import io.millrace.tests.program.Required;

/// Client libraries with transactions. All their programs take the command `chain` of [JavaClient].
enum ChainClient {
    JAVA_2_6 {
        @Override
        Program program() {
            return java(KafkaRelease.KAFKA_2_6);
        }
    },
    JAVA_3_9 {
        @Override
        Program program() {
            return java(KafkaRelease.KAFKA_3_9);
        }
    },
    JAVA_4_4 {
        @Override
        Program program() {
            return java(KafkaRelease.KAFKA_4_4);
        }
    },
    KAFKA_JS {
        @Override
        Program program() {
            return ExternalClient.KAFKA_JS.program();
        }
    },
    LIBRDKAFKA {
        @Override
        Program program() {
            Required.check(hasConfluentKafka(), "confluent-kafka (Debian: python3-confluent-kafka)");
            return Program.of(List.of("/usr/bin/python3", Home.tests("src", "test", "python", "chain.py").toString()));
        }
    };

    /// The program; the test is skipped where it is not installed.
    abstract Program program();

    private static Program java(KafkaRelease release) {
        return release.program(JavaClient.class.getName(), Home.classes());
    }

    private static boolean hasConfluentKafka() {
        try {
            return new ProcessBuilder("/usr/bin/python3", "-c", "import confluent_kafka").redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
