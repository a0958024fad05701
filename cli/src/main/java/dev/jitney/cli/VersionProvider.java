package dev.jitney.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Reads the version that the build writes into the jar. */
final class VersionProvider implements IVersionProvider {

    @Override
    public String[] getVersion() {
        Properties properties = new Properties();
        try (InputStream in = VersionProvider.class.getResourceAsStream("version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            // The version stays "unknown".
        }
        return new String[] {
            "jitney " + properties.getProperty("version", "unknown") + " (Java "
                    + Runtime.version().feature() + ", " + System.getProperty("os.name") + " "
                    + System.getProperty("os.arch") + ")"
        };
    }
}
