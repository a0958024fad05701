package dev.jitney.cli.connection;

import dev.jitney.cli.output.Failure;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which namespace, and by what right (HTTP 1.1).
 *
 * @param host without scheme and port
 * @param port of AMQP, or null for the usual one
 * @param emulator whether {@code UseDevelopmentEmulator=true} asks for connections without TLS
 * @param keyName name of the shared access rule, or null with a ready-made signature
 * @param key secret
 * @param signature secret; a whole token, or null
 */
public record NamespaceAddress(
        String host,
        @Nullable Integer port,
        boolean emulator,
        @Nullable String keyName,
        @Nullable String key,
        @Nullable String signature) {
    /** What a server prints that was started without options. */
    public static final String LOCAL = "Endpoint=sb://localhost:5672;SharedAccessKeyName=RootManageSharedAccessKey"
            + ";SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true;";

    private static final int AMQP_PORT = 5672;
    private static final int AMQPS_PORT = 5671;
    private static final String FORM = "Expected a connection string such as"
            + " Endpoint=sb://HOST/;SharedAccessKeyName=NAME;SharedAccessKey=KEY";

    /**
     * Reads a connection string. Keys match in any case, blanks around them and empty segments do not count, unknown
     * ones are let be.
     *
     * @throws Failure in words for the user, without what may be a secret
     */
    public static NamespaceAddress parse(String connectionString) {
        String endpoint = null;
        boolean emulator = false;
        String keyName = null;
        String key = null;
        String signature = null;
        for (String segment : connectionString.split(";", -1)) {
            if (segment.isBlank()) {
                continue;
            }
            int equals = segment.indexOf('=');
            if (equals <= 0) {
                throw Failure.badOption(FORM + ", but a part of it has no '='. Quote it: shells end commands at ';'.");
            }
            String value = segment.substring(equals + 1).strip();
            switch (segment.substring(0, equals).strip().toLowerCase(Locale.ROOT)) {
                case "endpoint", "hostname" -> endpoint = value;
                case "usedevelopmentemulator" -> emulator = value.equalsIgnoreCase("true");
                case "sharedaccesskeyname" -> keyName = value;
                case "sharedaccesskey" -> key = value;
                case "sharedaccesssignature" -> signature = value;
                default -> {
                    // EntityPath and what only some SDKs know
                }
            }
        }
        if (endpoint == null) {
            throw Failure.badOption(FORM + ", but it names no Endpoint. Quote it: shells end commands at ';'.");
        }
        if (signature == null && (keyName == null || key == null)) {
            throw Failure.badOption(FORM + ", but " + (keyName == null ? "SharedAccessKeyName" : "SharedAccessKey")
                    + " is missing. Quote it: shells end commands at ';'.");
        }
        URI address = address(endpoint);
        return new NamespaceAddress(
                address.getHost(), address.getPort() < 0 ? null : address.getPort(), emulator, keyName, key, signature);
    }

    private static URI address(String endpoint) {
        try {
            URI address = new URI(endpoint.contains("://") ? endpoint : "sb://" + endpoint);
            if (address.getHost() != null) {
                return address;
            }
        } catch (URISyntaxException e) {
            // told below
        }
        throw Failure.badOption(
                "Expected an Endpoint such as sb://localhost:5672 or sb://NAME.servicebus.windows.net/, but got '"
                        + endpoint + "'.");
    }

    /** The port AMQP is spoken at, with or without TLS. */
    public int amqpPort() {
        return port != null ? port : emulator ? AMQP_PORT : AMQPS_PORT;
    }

    /** For the SDK, which knows fewer forms. */
    String connectionString() {
        StringBuilder text = new StringBuilder("Endpoint=sb://").append(host);
        if (emulator) {
            text.append(':').append(amqpPort());
        }
        text.append('/');
        if (signature != null) {
            text.append(";SharedAccessSignature=").append(signature);
        } else {
            text.append(";SharedAccessKeyName=")
                    .append(keyName)
                    .append(";SharedAccessKey=")
                    .append(key);
        }
        return emulator ? text.append(";UseDevelopmentEmulator=true").toString() : text.toString();
    }

    /** Without secrets. */
    @Override
    public String toString() {
        return "sb://" + host + (port == null ? "" : ":" + port);
    }
}
