package dev.jitney.server.cli;

import dev.jitney.server.BuildInfo;
import picocli.CommandLine.IVersionProvider;

/** The provider of the version that the build wrote into the jar. */
final class VersionProvider implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {
            "jitney " + BuildInfo.version() + " (Java " + Runtime.version().feature() + ", "
                    + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ")"
        };
    }
}
