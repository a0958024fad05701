package dev.jitney.server.tls;

import dev.jitney.model.ClientText;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The source of the server's certificate: the value of the option {@code --tls}. */
public abstract class Tls {
    private Tls() {}

    private static final String AUTO = "auto";

    /** Returns a certificate that the server creates for this machine and keeps in the data directory. */
    public static Tls auto() {
        return auto(List.of());
    }

    /**
     * Returns a certificate that the server creates, which is also valid for other names.
     *
     * @param hosts host names and IP addresses that clients use
     * @throws IllegalArgumentException if one of them is neither; its message is for the user
     */
    public static Tls auto(List<String> hosts) {
        List<String> asked = List.copyOf(hosts);
        for (String host : asked) {
            if (!CertificateNames.isValid(host)) {
                throw new IllegalArgumentException(
                        "Expected host names or IP addresses after 'auto:', separated by commas, but got '"
                                + ClientText.abbreviate(host) + "'.");
            }
        }
        return new Tls() {
            @Override
            public ServerIdentity identity(@Nullable Path dataDir, List<String> namespaces, long nowMs)
                    throws TlsException {
                if (dataDir == null) {
                    throw new TlsException("Expected a data directory for the certificate, but --in-memory has none."
                            + " Use --tls CERT,KEY, or remove one of the options.");
                }
                CertificateNames names = CertificateNames.of(namespaces, asked);
                return new OwnAuthority(dataDir.resolve("tls"), names).identity(nowMs);
            }

            @Override
            List<Path> files(@Nullable Path dataDir) {
                return dataDir == null
                        ? List.of()
                        : List.of(dataDir.resolve("tls/server.pem"), dataDir.resolve("tls/server-key.pem"));
            }

            @Override
            public String toString() {
                return asked.isEmpty() ? AUTO : AUTO + ":" + String.join(",", asked);
            }
        };
    }

    /** Returns a certificate chain and its key in PEM files. */
    public static Tls files(Path certificates, Path key) {
        return new Tls() {
            @Override
            public ServerIdentity identity(@Nullable Path dataDir, List<String> namespaces, long nowMs)
                    throws TlsException {
                return PemFiles.identity(certificates, key, nowMs);
            }

            @Override
            List<Path> files(@Nullable Path dataDir) {
                return List.of(certificates, key);
            }

            @Override
            public String toString() {
                return certificates + "," + key;
            }
        };
    }

    /**
     * Parses the option's text.
     *
     * @throws IllegalArgumentException if it is neither {@code auto}, optionally with host names, nor two file names;
     *     its message is for the user
     */
    public static Tls parse(String text) {
        if (text.equalsIgnoreCase(AUTO)) {
            return auto();
        }
        if (text.regionMatches(true, 0, AUTO + ":", 0, AUTO.length() + 1)) {
            return auto(Arrays.stream(text.substring(AUTO.length() + 1).split(",", -1))
                    .map(String::strip)
                    .toList());
        }
        String[] files = text.split(",", -1);
        if (files.length != 2 || files[0].isBlank() || files[1].isBlank()) {
            throw new IllegalArgumentException(
                    "Expected auto, auto:HOST1,HOST2, or two PEM files as CERT,KEY, but got '" + text + "'.");
        }
        return files(Path.of(files[0].strip()), Path.of(files[1].strip()));
    }

    /**
     * Finds or creates the certificate and its key.
     *
     * @param dataDir the data directory, or null if everything is in memory
     * @param namespaces names of the namespaces, which clients use as the first label of a host name
     * @param nowMs the time for checking validity, in milliseconds since the epoch
     */
    public abstract ServerIdentity identity(@Nullable Path dataDir, List<String> namespaces, long nowMs)
            throws TlsException;

    /** Returns the files of the certificate and its key, for finding out whether they have changed. */
    abstract List<Path> files(@Nullable Path dataDir);

    /** Finds or creates the certificate for one namespace, which needs no name. */
    final ServerIdentity identity(Path dataDir, long nowMs) throws TlsException {
        return identity(dataDir, List.of(), nowMs);
    }
}
