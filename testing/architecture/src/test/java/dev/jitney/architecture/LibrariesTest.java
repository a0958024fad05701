package dev.jitney.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which module knows which library (docs/adr/0002 to 0005, 0008, 0009). */
@AnalyzeClasses(packages = Packages.ROOT, importOptions = Packages.MainCode.class)
final class LibrariesTest {

    @ArchTest
    static final ArchRule onlyItsAdapterKnowsTheStorageEngine =
            only(Packages.STORE, "org.rocksdb..").because("the engine stays behind its port and can be replaced");

    @ArchTest
    static final ArchRule onlyTheAmqpGatewayKnowsTheAmqpEngine = only(
                    Packages.GATEWAY_AMQP, "org.apache.qpid.protonj2..")
            .because("the broker knows commands, not performatives");

    @ArchTest
    static final ArchRule onlyTheHttpGatewayKnowsTheHttpStack =
            only(Packages.GATEWAY_HTTP, "io.vertx..").because("what an HTTP stack costs to replace is one module");

    @ArchTest
    static final ArchRule onlyTheGatewaysKnowTheNetwork = noClasses()
            .that()
            .resideOutsideOfPackages(Packages.GATEWAY_AMQP, Packages.GATEWAY_HTTP)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..")
            .because("whoever needs no bytes from a peer can be tested without one");

    @ArchTest
    static final ArchRule onlyFiltersKnowTheParserOfTheirGrammar = only(Packages.FILTER, "org.antlr..")
            .because("compiled filters are plain objects; how they were parsed is over");

    @ArchTest
    static final ArchRule onlyTheServerKnowsTheCertificates = only(Packages.SERVER, "org.bouncycastle..")
            .because("who has a certificate of their own must not even load it");

    @ArchTest
    static final ArchRule onlyProgramsKnowTheCommandLineAndTheLogOutput = noClasses()
            .that()
            .resideOutsideOfPackages(Packages.SERVER, Packages.CLI, Packages.SIMULATION)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("picocli..", "ch.qos.logback..")
            .because("the other modules are libraries too and leave these to the application");

    @ArchTest
    static final ArchRule onlyTheCommandLineKnowsTerminals =
            only("dev.jitney.cli.output..", "org.jline..").because("commands draw on a screen, whatever it is made of");

    @ArchTest
    static final ArchRule onlyClientsKnowTheOfficialSdk = noClasses()
            .that()
            .resideOutsideOfPackages(Packages.CLI, Packages.PAIRED)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.azure..", "reactor..", "org.apache.qpid.proton..")
            .because("the broker is what the SDK talks to (docs/adr/0008)");

    @ArchTest
    static final ArchRule onlyTheServerKnowsTheMetricsLibrary = only(
                    "dev.jitney.server.metrics..", "io.micrometer..", "io.prometheus..")
            .because("broker and gateways count in plain numbers, which cost nothing and can be shown in any format");

    private static ArchRuleWithReason only(String module, String... libraries) {
        return reason -> noClasses()
                .that()
                .resideOutsideOfPackage(module)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(libraries)
                .because(reason);
    }

    /** A rule that is not complete without its reason. */
    @FunctionalInterface
    private interface ArchRuleWithReason {
        ArchRule because(String reason);
    }
}
