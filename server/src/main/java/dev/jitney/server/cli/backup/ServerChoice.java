package dev.jitney.server.cli.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select a running server. */
final class ServerChoice {
    @Option(
            names = {"-c", "--connection-string"},
            paramLabel = "STRING",
            order = 900,
            description =
                    "Connection string of the first namespace, with a key that has the right to Manage. Prefer the"
                            + " variable JITNEY_CONNECTION_STRING: other users of this machine cannot read it. Default: a server on"
                            + " this machine that runs without options.")
    private @Nullable String connectionString;

    @Option(
            names = "--admin-url",
            paramLabel = "URL",
            order = 901,
            description = "URL for HTTP requests, for example http://localhost:5300. Default: host and port of the"
                    + " connection string, without TLS if it has UseDevelopmentEmulator=true.")
    private @Nullable String adminUrl;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            order = 902,
            description =
                    "PEM file with the certificates to trust, for example D/tls/ca.pem of a server with --tls auto."
                            + " Default: the trusted certificates of Java.")
    private @Nullable Path ca;

    OperatorClient open() throws CommandException {
        return new OperatorClient(
                ServerAddress.parse(connectionString == null ? ServerAddress.LOCAL : connectionString, adminUrl),
                ca == null ? null : trusting(ca));
    }

    private static SSLSocketFactory trusting(Path pemFile) throws CommandException {
        try (InputStream in = Files.newInputStream(pemFile)) {
            Collection<? extends Certificate> given =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate : given) {
                store.setCertificateEntry("given-" + number++, certificate);
            }
            if (number == 0) {
                throw new CommandException(
                        "--ca " + pemFile + ": Expected certificates in PEM form, but the file has none.");
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (IOException e) {
            throw new CommandException("--ca " + pemFile + ": The file cannot be read (" + e + ").");
        } catch (GeneralSecurityException e) {
            throw new CommandException(
                    "--ca " + pemFile + ": Expected certificates in PEM form, but " + e.getMessage() + ".");
        }
    }
}
