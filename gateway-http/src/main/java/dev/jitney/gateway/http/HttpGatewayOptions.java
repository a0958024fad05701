package dev.jitney.gateway.http;

import dev.jitney.gateway.http.console.ConsoleAccess;
import dev.jitney.gateway.http.exchange.AmqpPorts;
import dev.jitney.gateway.http.operator.backup.BackupService;
import dev.jitney.gateway.http.operator.privacy.BodyPrivacy;
import dev.jitney.gateway.http.testmode.TestServer;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.client.ConnectedClients;
import org.jspecify.annotations.Nullable;

/**
 * The addresses and the identity of the HTTP gateway.
 *
 * @param host name or address of the interface that both listeners bind to
 * @param httpPort port without TLS, 0 for any free port, or null for no such listener
 * @param httpsPort port with TLS, 0 for any free port, or null for no such listener
 * @param healthPort port without TLS that serves the health pages only, 0 for any free port, or null for no such listener
 * @param identity the certificate of the TLS port; required with {@code httpsPort}
 * @param door true to also serve sockets that other listeners accepted, see {@link HttpGateway#take}
 * @param version version of the program, which the page of the stores shows to operators
 * @param clients the clients of AMQP, which the operator API shows
 * @param console the clients that get the web console
 * @param privacy the values of bodies that the operator API hides
 * @param amqpPorts the ports for AMQP, which connection strings name
 * @param tests what the requests of tests need
 * @param admission rules by which clients are admitted
 * @param backups makes backups, as the operator API orders them
 */
public record HttpGatewayOptions(
        String host,
        @Nullable Integer httpPort,
        @Nullable Integer httpsPort,
        @Nullable Integer healthPort,
        @Nullable HttpsIdentity identity,
        boolean door,
        String version,
        ConnectedClients clients,
        ConsoleAccess console,
        BodyPrivacy privacy,
        AmqpPorts amqpPorts,
        TestServer tests,
        ClientAdmission admission,
        BackupService backups) {

    public HttpGatewayOptions {
        if (httpPort == null && httpsPort == null && !door) {
            throw new IllegalArgumentException("Expected a port with or without TLS, but got neither.");
        }
        if (httpsPort != null && identity == null) {
            throw new IllegalArgumentException("Expected a certificate for the HTTPS listener, but got none.");
        }
    }

    /** Creates options without a door, a known version, clients of AMQP, and the console. */
    public HttpGatewayOptions(
            String host, @Nullable Integer httpPort, @Nullable Integer httpsPort, @Nullable HttpsIdentity identity) {
        this(
                host,
                httpPort,
                httpsPort,
                null,
                identity,
                false,
                "unknown",
                ConnectedClients.NONE,
                ConsoleAccess.OFF,
                BodyPrivacy.OFF,
                AmqpPorts.SAME,
                TestServer.NONE,
                ClientAdmission.open(),
                BackupService.NONE);
    }

    /** Returns a copy with a port for the health pages only. */
    public HttpGatewayOptions withHealthPort(int value) {
        return new HttpGatewayOptions(
                host, httpPort, httpsPort, value, identity, door, version, clients, console, privacy, amqpPorts, tests,
                admission, backups);
    }

    /** Returns a copy that admits clients by other rules. */
    public HttpGatewayOptions withAdmission(ClientAdmission value) {
        return new HttpGatewayOptions(
                host,
                httpPort,
                httpsPort,
                healthPort,
                identity,
                door,
                version,
                clients,
                console,
                privacy,
                amqpPorts,
                tests,
                value,
                backups);
    }
}
