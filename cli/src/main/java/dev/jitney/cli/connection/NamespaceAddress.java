package dev.jitney.cli.connection;

import dev.jitney.cli.output.Failure;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The address and the credentials of a namespace (HTTP 1.1).
 *
 * @param host without scheme and port
 * @param port of AMQP, or null for the default port
 * @param emulator whether {@code UseDevelopmentEmulator=true} selects connections without TLS
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
    /** The connection string of a server that runs without options. */
    public static final String LOCAL = "Endpoint=sb://localhost:5672;SharedAccessKeyName=RootManageSharedAccessKey"
            + ";SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true;";

    private static final int AMQP_PORT = 5672;
    private static final int AMQPS_PORT = 5671;
    private static final String FORM = "Expected a connection string such as"
            + " Endpoint=sb://HOST/;SharedAccessKeyName=NAME;SharedAccessKey=KEY";

    /**
     * Parses a connection string. Keys match in any case. Blanks around them, empty segments and unknown keys are ignored.
     *
     * @throws Failure with a message for the user that contains no possible secret
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
                throw Failure.badOption(
                        FORM + ", but a part of it has no '='. Put quotes around it: shells end commands at ';'.");
            }
            String value = segment.substring(equals + 1).strip();
            switch (segment.substring(0, equals).strip().toLowerCase(Locale.ROOT)) {
                case "endpoint", "hostname" -> endpoint = value;
                case "usedevelopmentemulator" -> emulator = value.equalsIgnoreCase("true");
                case "sharedaccesskeyname" -> keyName = value;
                case "sharedaccesskey" -> key = value;
                case "sharedaccesssignature" -> signature = value;
                default -> {
                    // EntityPath and keys of single SDKs are ignored
                }
            }
        }
        if (endpoint == null) {
            throw Failure.badOption(
                    FORM + ", but it has no Endpoint. Put quotes around it: shells end commands at ';'.");
        }
        if (signature == null && (keyName == null || key == null)) {
            throw Failure.badOption(FORM + ", but " + (keyName == null ? "SharedAccessKeyName" : "SharedAccessKey")
                    + " is missing. Put quotes around it: shells end commands at ';'.");
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
            // The failure below names the endpoint.
        }
        throw Failure.badOption(
                "Expected an Endpoint such as sb://localhost:5672 or sb://NAME.servicebus.windows.net/, but got '"
                        + endpoint + "'.");
    }

    /** Returns the AMQP port, with or without TLS. */
    public int amqpPort() {
        return port != null ? port : emulator ? AMQP_PORT : AMQPS_PORT;
    }

    /** Returns the connection string in a form that the SDK accepts. */
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

    /** Returns the endpoint without secrets. */
    @Override
    public String toString() {
        return "sb://" + host + (port == null ? "" : ":" + port);
    }
}
