package dev.jitney.server.cli.backup;

import dev.jitney.runtime.security.SharedAccessSignature;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The address and the key of a namespace, from its connection string.
 *
 * @param host      the host name, which may select the namespace
 * @param url       the URL for requests
 * @param keyName   the name of the access rule
 * @param key       its key, which is secret
 */
record ServerAddress(String host, URI url, String keyName, String key) {
    /** The connection string of a server that runs without options, whose key is public. */
    static final String LOCAL = "Endpoint=sb://localhost:5672;SharedAccessKeyName=RootManageSharedAccessKey"
            + ";SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true;";

    private static final int PLAIN_PORT = 5672;
    private static final long TOKEN_SECONDS = 300;
    private static final String FORM = "Expected a connection string such as"
            + " Endpoint=sb://HOST/;SharedAccessKeyName=NAME;SharedAccessKey=KEY, but ";

    /**
     * Parses a connection string.
     *
     * @param adminUrl the URL for requests, or null for that of the connection string
     * @throws CommandException with a message that contains no possible secret
     */
    static ServerAddress parse(String connectionString, @Nullable String adminUrl) throws CommandException {
        String endpoint = null;
        String keyName = null;
        String key = null;
        boolean emulator = false;
        for (String segment : connectionString.split(";", -1)) {
            int equals = segment.indexOf('=');
            if (equals > 0) {
                String value = segment.substring(equals + 1).strip();
                switch (segment.substring(0, equals).strip().toLowerCase(Locale.ROOT)) {
                    case "endpoint", "hostname" -> endpoint = value;
                    case "usedevelopmentemulator" -> emulator = value.equalsIgnoreCase("true");
                    case "sharedaccesskeyname" -> keyName = value;
                    case "sharedaccesskey" -> key = value;
                    default -> {
                        // EntityPath and keys of single SDKs are ignored
                    }
                }
            }
        }
        if (endpoint == null) {
            throw new CommandException(
                    FORM + "it has no Endpoint. Put quotes around it, because shells end commands at ';'.");
        }
        if (keyName == null || key == null || key.isEmpty()) {
            throw new CommandException(FORM + (keyName == null ? "SharedAccessKeyName" : "SharedAccessKey")
                    + " is missing. Put quotes around it, because shells end commands at ';'.");
        }
        URI address = uri(endpoint.contains("://") ? endpoint : "sb://" + endpoint, "Endpoint", "sb://localhost:5672");
        int port = address.getPort() >= 0 ? address.getPort() : emulator ? PLAIN_PORT : -1;
        URI url = adminUrl == null
                ? URI.create((emulator ? "http://" : "https://") + address.getHost() + (port < 0 ? "" : ":" + port))
                : uri(adminUrl, "--admin-url", "http://localhost:5300");
        if (!"http".equals(url.getScheme()) && !"https".equals(url.getScheme())) {
            throw new CommandException(
                    "--admin-url: Expected a URL such as http://localhost:5300, but got '" + adminUrl + "'.");
        }
        return new ServerAddress(address.getHost(), url, keyName, key);
    }

    private static URI uri(String text, String name, String example) throws CommandException {
        try {
            URI uri = new URI(text);
            if (uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        throw new CommandException(name + ": Expected a URL such as " + example + ", but got '" + text + "'.");
    }

    /** Returns a token for the whole namespace, for a few minutes. */
    String token(long nowMs) {
        return SharedAccessSignature.create("https://" + host + "/", keyName, key, nowMs / 1_000 + TOKEN_SECONDS);
    }

    /** Omits the key, which must not reach a log. */
    @Override
    public String toString() {
        return url.toString();
    }
}
