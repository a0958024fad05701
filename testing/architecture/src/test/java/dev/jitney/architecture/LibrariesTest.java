package dev.jitney.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The libraries that each module may use (docs/adr/0002 to 0005, 0008, 0009). */
@AnalyzeClasses(packages = Packages.ROOT, importOptions = Packages.MainCode.class)
final class LibrariesTest {

    @ArchTest
    static final ArchRule onlyItsAdapterKnowsTheStorageEngine =
            only(Packages.STORE, "org.rocksdb..").because("the storage engine is behind a port and can be replaced");

    @ArchTest
    static final ArchRule onlyItsAdapterKnowsTheConsensusLibrary = only(
                    "dev.jitney.cluster.ratis..", "org.apache.ratis..")
            .because("the rules of the cluster do not depend on the library, which is behind a port (docs/adr/0029)");

    @ArchTest
    static final ArchRule onlyTheAmqpGatewayKnowsTheAmqpEngine = only(
                    Packages.GATEWAY_AMQP, "org.apache.qpid.protonj2..")
            .because("the broker uses commands, not performatives");

    @ArchTest
    static final ArchRule onlyTheHttpGatewayKnowsTheHttpStack =
            only(Packages.GATEWAY_HTTP, "io.vertx..").because("a new HTTP stack then affects only one module");

    @ArchTest
    static final ArchRule onlyTheGatewaysAndTheirPortsKnowTheNetwork = noClasses()
            .that()
            .resideOutsideOfPackages(
                    Packages.GATEWAY_AMQP,
                    Packages.GATEWAY_HTTP,
                    "dev.jitney.server.front..",
                    "dev.jitney.server.node..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..")
            .because("code without network access can be tested without a peer");

    @ArchTest
    static final ArchRule onlyFiltersKnowTheParserOfTheirGrammar = only(Packages.FILTER, "org.antlr..")
            .because("compiled filters are plain objects that do not need their parser");

    @ArchTest
    static final ArchRule onlyTheServerKnowsTheCertificates = only(Packages.SERVER, "org.bouncycastle..")
            .because("a server with its own certificate must not load this library");

    @ArchTest
    static final ArchRule onlyTheIdentityProviderKnowsTheTokens = only("dev.jitney.server.identity..", "com.nimbusds..")
            .because("a server without an identity provider must not load this library (docs/adr/0039)");

    @ArchTest
    static final ArchRule onlyProgramsKnowTheCommandLineAndTheLogOutput = noClasses()
            .that()
            .resideOutsideOfPackages(Packages.SERVER, Packages.CLI, Packages.SIMULATION)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("picocli..", "ch.qos.logback..")
            .because("the other modules are also libraries, and the application makes these choices");

    @ArchTest
    static final ArchRule onlyTheCommandLineKnowsTerminals = only("dev.jitney.cli.output..", "org.jline..")
            .because("commands write to a screen that does not depend on the terminal library");

    @ArchTest
    static final ArchRule onlyClientsKnowTheOfficialSdk = noClasses()
            .that()
            .resideOutsideOfPackages(Packages.CLI, Packages.PAIRED)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.azure..", "reactor..", "org.apache.qpid.proton..")
            .because("the SDK is a client of the broker (docs/adr/0008)");

    @ArchTest
    static final ArchRule onlyTheServerKnowsTheMetricsLibrary = only(
                    "dev.jitney.server.metrics..", "io.micrometer..", "io.prometheus..")
            .because("broker and gateways use plain counters, which are cheap and independent of a metrics format");

    @ArchTest
    static final ArchRule theTestKitNeedsTheJdkAndJUnitOnly = classes()
            .that()
            .resideInAPackage(Packages.TESTKIT)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    Packages.TESTKIT,
                    "java..",
                    "javax.crypto..",
                    "org.jspecify.annotations..",
                    "org.junit.jupiter.api..")
            .because("its libraries would meet those of the application (docs/adr/0038)");

    private static ArchRuleWithReason only(String module, String... libraries) {
        return reason -> noClasses()
                .that()
                .resideOutsideOfPackage(module)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(libraries)
                .because(reason);
    }

    /** A rule without its reason. */
    @FunctionalInterface
    private interface ArchRuleWithReason {
        ArchRule because(String reason);
    }
}
