package dev.jitney.comparison.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A kind of broker that takes part. Used by one thread. */
public interface Broker {

    /** What tables and plots call it. */
    String name();

    /** Which version it is. */
    String version();

    /** How it is set up, as far as it matters, for the report. */
    List<String> settings();

    /**
     * Makes a broker ready to be launched, with nothing in it.
     *
     * @param directory an empty directory for whatever it keeps
     * @param heap its largest heap, as the Java machine's option {@code -Xmx} wants it
     */
    BrokerServer prepare(Path directory, Entities entities, String heap) throws IOException;
}
