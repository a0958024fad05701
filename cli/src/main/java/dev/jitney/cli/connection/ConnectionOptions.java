package dev.jitney.cli.connection;

import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that select the namespace. */
public final class ConnectionOptions {
    static final String HEADING_TEXT =
            "Selects the namespace (default: JITNEY_CONNECTION_STRING, SERVICEBUS_CONNECTION_STRING, or a server on"
                    + " this machine)";

    @Option(
            names = {"-c", "--connection-string"},
            paramLabel = "STRING",
            order = 900,
            description = "Connection string of the namespace, of Jitney or of Azure. Prefer the variable"
                    + " JITNEY_CONNECTION_STRING (or SERVICEBUS_CONNECTION_STRING): other users of this machine cannot"
                    + " read it. Default: a server on this machine that runs without options.")
    private @Nullable String connectionString;

    @Option(
            names = "--admin-url",
            paramLabel = "URL",
            order = 901,
            description = "URL for entity management, for example http://localhost:5300 or https://localhost:5301"
                    + " (JITNEY_ADMIN_URL). Default: the port of the connection string if HTTP answers there. Otherwise"
                    + " http://HOST:5300 with UseDevelopmentEmulator=true, and https://HOST without it.")
    private @Nullable String adminUrl;

    @Mixin
    private TransportOptions transport = new TransportOptions();

    /** Returns clients for the selected namespace, after checking that it is reachable. */
    public NamespaceClients open(Console console) {
        NamespaceAddress address = address(console);
        transport.trust();
        URI given = adminUrl == null ? null : adminUrl(adminUrl);
        return new NamespaceClients(
                address, () -> given == null ? AdminAddress.of(address) : given, transport.type(), console);
    }

    NamespaceAddress address(Console console) {
        for (String variable : new String[] {"SERVICEBUS_CONNECTION_STRING"}) {
            String value = console.environment().get(variable);
            if (connectionString == null && value != null && !value.isBlank()) {
                connectionString = value;
            }
        }
        return NamespaceAddress.parse(connectionString == null ? NamespaceAddress.LOCAL : connectionString);
    }

    private static URI adminUrl(String given) {
        try {
            URI url = new URI(given);
            String scheme = String.valueOf(url.getScheme());
            if (url.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
                return url;
            }
        } catch (URISyntaxException e) {
            // The failure below names the option.
        }
        throw Failure.badOption("--admin-url: Expected a URL such as http://localhost:5300, but got '" + given + "'.");
    }
}
