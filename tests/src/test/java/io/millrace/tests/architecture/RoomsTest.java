package io.millrace.tests.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;

@AnalyzeClasses(packages = "io.millrace", importOptions = DoNotIncludeTests.class)
class RoomsTest {

    private static final String[] SERVICES = {"io.millrace.controller..", "io.millrace.broker..",
            "io.millrace.coordinator..", "io.millrace.admin.."};
    private static final String[] SPRING = {"org.springframework..", "jakarta.."};
    private static final String[] NETWORK = {"io.netty..", "reactor.."};
    private static final String[] ZOOKEEPER = {"org.apache.curator..", "org.apache.zookeeper.."};

    private static final String[] INPUT_AND_OUTPUT = {"java.io..", "java.net..", "java.nio.file..",
            "java.nio.channels..", "java.util.concurrent.locks.."};
    /// Types of those packages that touch nothing outside: texts, paths as names, and what failures are made of.
    private static final Class<?>[] HARMLESS = {URLEncoder.class, URLDecoder.class, Path.class, Serializable.class,
            IOException.class, UncheckedIOException.class};

    /// Rooms that decide: a value in, a value out.
    private static final String[] PURE = {"io.millrace.metadata.image..", "io.millrace.metadata.znode..",
            "io.millrace.log.batch..", "io.millrace.controller.partition..", "io.millrace.controller.topic..",
            "io.millrace.controller.reassignment..",
            "io.millrace.controller.node..", "io.millrace.controller.shard..", "io.millrace.coordinator.record..",
            "io.millrace.coordinator.group..", "io.millrace.coordinator.offsets..",
            "io.millrace.coordinator.transaction..", "io.millrace.standalone.plan.."};

    @ArchTest
    static final ArchRule baseKnowsNobody = room("io.millrace.base..").mayNotUse(resideInAnyPackage("io.millrace..")
            .and(DescribedPredicate.not(resideInAnyPackage("io.millrace.base.."))));

    @ArchTest
    static final ArchRule logKnowsNeitherNetworkNorSpring = room("io.millrace.log..").mayNotUse(
            packages(SPRING, NETWORK, ZOOKEEPER, new String[]{"io.millrace.wire..", "io.millrace.metadata..",
                    "io.millrace.service.."}, SERVICES));

    @ArchTest
    static final ArchRule wireKnowsNeitherSpringNorTheLog = room("io.millrace.wire..").mayNotUse(
            packages(SPRING, ZOOKEEPER, new String[]{"io.millrace.log..", "io.millrace.metadata..",
                    "io.millrace.service.."},
                    SERVICES));

    @ArchTest
    static final ArchRule metadataKnowsNeitherSpringNorTheLog = room("io.millrace.metadata..").mayNotUse(
            packages(SPRING, new String[]{"io.millrace.log..", "io.millrace.wire..", "io.millrace.service.."},
                    SERVICES));

    @ArchTest
    static final ArchRule onlyOneRoomSeesZooKeeper = noClasses().that()
            .resideOutsideOfPackages("io.millrace.metadata.zookeeper..", "io.millrace.standalone.zookeeper..").should()
            .dependOnClassesThat().resideInAnyPackage(ZOOKEEPER);

    @ArchTest
    static final ArchRule whatServicesShareKnowsNoService = room("io.millrace.service..").mayNotUse(packages(
            new String[]{"io.millrace.log.."}, SERVICES));

    @ArchTest
    static final ArchRule controllersKnowNoOtherService = room("io.millrace.controller..").mayNotUse(resideInAnyPackage(
            "io.millrace.broker..", "io.millrace.coordinator..", "io.millrace.admin..", "io.millrace.log.."));

    @ArchTest
    static final ArchRule brokersKnowNoOtherService = room("io.millrace.broker..").mayNotUse(resideInAnyPackage(
            "io.millrace.controller..", "io.millrace.coordinator..", "io.millrace.admin.."));

    @ArchTest
    static final ArchRule coordinatorsKnowNoOtherService = room("io.millrace.coordinator..").mayNotUse(
            resideInAnyPackage(
                    "io.millrace.controller..", "io.millrace.broker..", "io.millrace.admin..", "io.millrace.log.."));

    @ArchTest
    static final ArchRule theAdminApiKnowsNoOtherService = room("io.millrace.admin..").mayNotUse(resideInAnyPackage(
            "io.millrace.controller..", "io.millrace.broker..", "io.millrace.coordinator..", "io.millrace.log.."));

    @ArchTest
    static final ArchRule enginesKnowNoSpring = noClasses().that().resideInAnyPackage("io.millrace.controller.*..",
            "io.millrace.broker.*..", "io.millrace.coordinator.*..").should().dependOnClassesThat().resideInAnyPackage(
                    SPRING);

    @ArchTest
    static final ArchRule nobodyImportsStandalone = noClasses().that().resideOutsideOfPackage(
            "io.millrace.standalone..")
            .should().dependOnClassesThat().resideInAPackage("io.millrace.standalone..");

    @ArchTest
    static final ArchRule decisionsDoNoInputOrOutput = noClasses().that().resideInAnyPackage(PURE).should()
            .dependOnClassesThat(packages(SPRING, NETWORK, ZOOKEEPER, INPUT_AND_OUTPUT)
                    .and(DescribedPredicate.not(belongToAnyOf(HARMLESS))));

    @ArchTest
    static final ArchRule decisionsAreGivenTheTime = noClasses().that().resideInAnyPackage(PURE).should()
            .callMethod(System.class, "currentTimeMillis").orShould().callMethod(System.class, "nanoTime").orShould()
            .callMethod(Instant.class, "now").orShould().callMethod(Clock.class, "systemUTC");

    @ArchTest
    static final ArchRule nothingChangesInStaticFields = ArchRuleDefinition.fields().that().areStatic().and()
            .areDeclaredInClassesThat(DescribedPredicate.describe("are written by hand", RoomsTest::isWrittenByHand))
            .should()
            .haveModifier(JavaModifier.FINAL);

    @ArchTest
    static final ArchRule roomsHaveNoCycles = slices().matching("io.millrace.(*).(**)").namingSlices("$1.$2").should()
            .beFreeOfCycles();

    private static boolean isWrittenByHand(JavaClass type) {
        return !type.getPackageName().contains(".proto") && !type.getName().contains("$SwitchMap$")
                && !type.isAssignableTo("com.google.protobuf.GeneratedMessage");
    }

    private static DescribedPredicate<JavaClass> packages(String[]... groups) {
        return resideInAnyPackage(
                Arrays.stream(groups).flatMap(Arrays::stream).toArray(String[]::new));
    }

    private static Room room(String room) {
        return new Room(room);
    }

    /// A rule in the words of the layout.
    private record Room(String room) {

        ArchRule mayNotUse(DescribedPredicate<? super JavaClass> others) {
            return noClasses().that().resideInAPackage(room).should().dependOnClassesThat(others).allowEmptyShould(
                    true);
        }
    }
}
