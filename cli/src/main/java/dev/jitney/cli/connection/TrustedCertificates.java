package dev.jitney.cli.connection;

import dev.jitney.cli.output.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Adds trusted certificates to those of the machine. Both HTTP and AMQP of the SDK use the default TLS context. */
public final class TrustedCertificates {
    private TrustedCertificates() {}

    /** Reads certificates of a PEM file. */
    public static List<X509Certificate> read(Path pemFile) {
        try (InputStream in = Files.newInputStream(pemFile)) {
            List<X509Certificate> all = new ArrayList<>();
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                if (each instanceof X509Certificate certificate) {
                    all.add(certificate);
                }
            }
            if (all.isEmpty()) {
                throw Failure.badOption(
                        "--ca " + pemFile + ": Expected certificates in PEM form, but the file has none.");
            }
            return all;
        } catch (IOException e) {
            throw Failure.badOption("--ca " + pemFile + ": The file cannot be read (" + e + ").");
        } catch (GeneralSecurityException e) {
            throw Failure.badOption("--ca " + pemFile + ": Expected certificates in PEM form, but " + e.getMessage());
        }
    }

    static void trust(Path pemFile) {
        try (InputStream in = Files.newInputStream(pemFile)) {
            Collection<? extends Certificate> added =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (added.isEmpty()) {
                throw Failure.badOption(
                        "--ca " + pemFile + ": Expected certificates in PEM form, but the file has none.");
            }
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate : added) {
                store.setCertificateEntry("given-" + number++, certificate);
            }
            for (X509Certificate certificate : trustManager(null).getAcceptedIssuers()) {
                store.setCertificateEntry("usual-" + number++, certificate);
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {trustManager(store)}, null);
            SSLContext.setDefault(context);
        } catch (IOException e) {
            throw Failure.badOption("--ca " + pemFile + ": The file cannot be read (" + e + ").");
        } catch (GeneralSecurityException e) {
            throw Failure.badOption("--ca " + pemFile + ": Expected certificates in PEM form, but " + e.getMessage());
        }
    }

    private static X509TrustManager trustManager(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager found) {
                return found;
            }
        }
        throw new GeneralSecurityException("no X.509 trust manager in this Java");
    }
}
