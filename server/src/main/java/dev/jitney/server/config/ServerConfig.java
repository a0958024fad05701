package dev.jitney.server.config;

import java.util.List;

/**
 * The namespaces of a server and what is declared in them.
 *
 * @param namespaces at least one; the first is the one for host names that name none
 * @param warnings what the reader of the file did not understand and left out, a sentence each
 */
public record ServerConfig(List<NamespaceConfig> namespaces, List<String> warnings) {

    /**
     * The namespace of a server without a file. It bears the name that nearly every emulator file uses, so that a file
     * added later finds the entities that were there before.
     */
    public static final String DEFAULT_NAMESPACE = "sbemulatorns";

    public ServerConfig {
        namespaces = List.copyOf(namespaces);
        warnings = List.copyOf(warnings);
        if (namespaces.isEmpty()) {
            throw new IllegalArgumentException("Expected at least one namespace, but got none.");
        }
    }

    /** One namespace without entities. */
    public static ServerConfig empty() {
        return new ServerConfig(List.of(NamespaceConfig.named(DEFAULT_NAMESPACE)), List.of());
    }
}
