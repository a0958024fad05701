package dev.jitney.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** What the build wrote down about itself. */
public final class BuildInfo {
    private BuildInfo() {}

    /** The version of the program, or {@code unknown}. */
    public static String version() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("cli/version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            // told as unknown
        }
        return properties.getProperty("version", "unknown");
    }
}
