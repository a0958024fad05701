package dev.jitney.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The allowed dependencies between modules: {@code model <- codec <- core <- runtime <- store-rocksdb, cluster, gateway-* <-
 * server}. The command line, the library for paired namespaces and the test kit depend on none of them, and none depends on
 * these, because they are ordinary clients. The test kit starts the server by the name of a class.
 */
@AnalyzeClasses(packages = Packages.ROOT, importOptions = Packages.MainCode.class)
final class ArrowsTest {

    @ArchTest
    static final ArchRule modulesKnowOnlyWhatIsBelowThem = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("model")
            .definedBy(Packages.MODEL)
            .layer("codec")
            .definedBy(Packages.CODEC)
            .layer("core")
            .definedBy(Packages.CORE)
            .layer("runtime")
            .definedBy(Packages.RUNTIME)
            .layer("store-rocksdb")
            .definedBy(Packages.STORE)
            .layer("cluster")
            .definedBy(Packages.CLUSTER)
            .layer("gateway-amqp")
            .definedBy(Packages.GATEWAY_AMQP)
            .layer("gateway-http")
            .definedBy(Packages.GATEWAY_HTTP)
            .layer("server")
            .definedBy(Packages.SERVER)
            .layer("cli")
            .definedBy(Packages.CLI)
            .layer("paired-namespaces")
            .definedBy(Packages.PAIRED)
            .layer("testkit")
            .definedBy(Packages.TESTKIT)
            .layer("simulation")
            .definedBy(Packages.SIMULATION)
            .whereLayer("model")
            .mayNotAccessAnyLayer()
            .whereLayer("codec")
            .mayOnlyAccessLayers("model")
            .whereLayer("core")
            .mayOnlyAccessLayers("model", "codec")
            .whereLayer("runtime")
            .mayOnlyAccessLayers("model", "codec", "core")
            .whereLayer("store-rocksdb")
            .mayOnlyAccessLayers("model", "codec", "core", "runtime")
            .whereLayer("cluster")
            .mayOnlyAccessLayers("runtime")
            .whereLayer("gateway-amqp")
            .mayOnlyAccessLayers("model", "codec", "core", "runtime")
            .whereLayer("gateway-http")
            .mayOnlyAccessLayers("model", "codec", "core", "runtime")
            .whereLayer("server")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("paired-namespaces")
            .mayNotAccessAnyLayer()
            .whereLayer("testkit")
            .mayNotAccessAnyLayer()
            .whereLayer("testkit")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("cli")
            .mayOnlyAccessLayers("paired-namespaces")
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("simulation")
            .mayOnlyAccessLayers("model", "core", "runtime", "cluster")
            .whereLayer("simulation")
            .mayNotBeAccessedByAnyLayer()
            .because(
                    "with dependencies in one direction, a part can be read, tested and replaced without the parts above it");

    @ArchTest
    static final ArchRule onlyTheRuntimeDrivesTheCore = noClasses()
            .that()
            .resideOutsideOfPackages(Packages.CORE, Packages.RUNTIME)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.jitney.core.*..")
            .allowEmptyShould(true)
            .because("edges use commands, replies and outputs (dev.jitney.core itself); decisions and state "
                    + "belong to the thread of a shard");

    @ArchTest
    static final ArchRule onlyTheRuntimeKnowsItsParts = noClasses()
            .that()
            .resideOutsideOfPackage(Packages.RUNTIME)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.jitney.runtime.shard..", "dev.jitney.runtime.namespace..", "dev.jitney.runtime.partitioned..")
            .because("edges use the public API of the runtime; its internal packages are public only for each other");

    @ArchTest
    static final ArchRule onlyWiringOpensBrokers = noClasses()
            .that()
            .resideInAnyPackage(Packages.GATEWAY_AMQP, Packages.GATEWAY_HTTP, Packages.CLI, Packages.STORE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.jitney.runtime.sharded..")
            .because("gateways get a broker, and the command line is a client");

    @ArchTest
    static final ArchRule partsOfTheRuntimePointOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("face")
            .definedBy("dev.jitney.runtime")
            .layer("shard")
            .definedBy("dev.jitney.runtime.shard..")
            .layer("namespace")
            .definedBy("dev.jitney.runtime.namespace..")
            .layer("partitioned")
            .definedBy("dev.jitney.runtime.partitioned..")
            .layer("sharded")
            .definedBy("dev.jitney.runtime.sharded..")
            .whereLayer("face")
            .mayNotAccessAnyLayer()
            .whereLayer("shard")
            .mayOnlyAccessLayers("face")
            .whereLayer("namespace")
            .mayOnlyAccessLayers("face", "shard")
            .whereLayer("partitioned")
            .mayOnlyAccessLayers("face", "shard", "namespace")
            .whereLayer("sharded")
            .mayNotBeAccessedByAnyLayer()
            .because("shards do not depend on namespaces, and namespaces do not depend on partitions");

    @ArchTest
    static final ArchRule packagesHaveNoCycles = slices().matching("dev.jitney.(**)")
            .should()
            .beFreeOfCycles()
            .because("packages that need each other are really one package without a reading order");
}
