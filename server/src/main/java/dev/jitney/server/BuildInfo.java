package dev.jitney.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The facts that the build recorded about itself. */
public final class BuildInfo {
    private BuildInfo() {}

    /** Returns the version of the program, or {@code unknown}. */
    public static String version() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("cli/version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            // reported as unknown
        }
        return properties.getProperty("version", "unknown");
    }
}
