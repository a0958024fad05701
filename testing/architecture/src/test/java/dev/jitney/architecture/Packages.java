package dev.jitney.architecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** The package patterns of modules, and the classes that the rules check. */
final class Packages {
    static final String ROOT = "dev.jitney";
    static final String MODEL = "dev.jitney.model..";
    static final String CODEC = "dev.jitney.codec..";
    static final String CORE = "dev.jitney.core..";
    static final String FILTER = "dev.jitney.core.filter";
    static final String RUNTIME = "dev.jitney.runtime..";
    static final String STORE = "dev.jitney.store.rocksdb..";
    static final String CLUSTER = "dev.jitney.cluster..";
    static final String GATEWAY_AMQP = "dev.jitney.gateway.amqp..";
    static final String GATEWAY_HTTP = "dev.jitney.gateway.http..";
    static final String SERVER = "dev.jitney.server..";
    static final String CLI = "dev.jitney.cli..";
    static final String SIMULATION = "dev.jitney.simulation..";
    static final String PAIRED = "dev.jitney.paired..";
    static final String TESTKIT = "dev.jitney.testkit..";

    private Packages() {}

    /** An option that excludes test classes in directories and test jars. */
    static final class MainCode implements ImportOption {
        private final ImportOption noTests = new ImportOption.DoNotIncludeTests();

        @Override
        public boolean includes(Location location) {
            return noTests.includes(location) && !location.contains("-tests.jar");
        }
    }
}
