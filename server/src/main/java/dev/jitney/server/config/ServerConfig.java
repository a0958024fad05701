package dev.jitney.server.config;

import java.util.List;

/**
 * The namespaces of a server and their declared entities.
 *
 * @param namespaces at least one; the first is used for host names that name no namespace
 * @param warnings the parts of the file that the reader ignored, a sentence each
 * @param digest SHA-256 of the file in hexadecimal, empty without a file
 * @param keySources the files with keys of its rules
 */
public record ServerConfig(
        List<NamespaceConfig> namespaces, List<String> warnings, String digest, List<KeySource> keySources) {

    /**
     * The namespace of a server without a file. Nearly every emulator file uses this name, so that a file that is added
     * later finds the existing entities.
     */
    public static final String DEFAULT_NAMESPACE = "sbemulatorns";

    public ServerConfig {
        namespaces = List.copyOf(namespaces);
        warnings = List.copyOf(warnings);
        keySources = List.copyOf(keySources);
        if (namespaces.isEmpty()) {
            throw new IllegalArgumentException("Expected at least one namespace, but got none.");
        }
    }

    /** Creates a configuration that does not come from a file. */
    public ServerConfig(List<NamespaceConfig> namespaces, List<String> warnings) {
        this(namespaces, warnings, "", List.of());
    }

    /** Returns one namespace without entities. */
    public static ServerConfig empty() {
        return new ServerConfig(List.of(NamespaceConfig.named(DEFAULT_NAMESPACE)), List.of());
    }
}
