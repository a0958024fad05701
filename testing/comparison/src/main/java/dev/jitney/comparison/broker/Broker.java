package dev.jitney.comparison.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A kind of broker in the comparison. Used by one thread. */
public interface Broker {

    /** Returns the name in tables and plots. */
    String name();

    /** Returns the version. */
    String version();

    /** Returns the settings that matter, for the report. */
    List<String> settings();

    /**
     * Prepares an empty broker for its launch.
     *
     * @param directory empty directory for all data of the broker
     * @param heap maximum heap, in the format of the JVM option {@code -Xmx}
     */
    BrokerServer prepare(Path directory, Entities entities, String heap) throws IOException;
}
