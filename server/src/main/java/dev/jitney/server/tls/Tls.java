package dev.jitney.server.tls;

import java.nio.file.Path;

/** Where the server's certificate comes from: the value of the option {@code --tls}. */
public abstract class Tls {
    private Tls() {}

    /** A certificate of the server's own making, kept under the data directory. */
    public static Tls auto() {
        return new Tls() {
            @Override
            public ServerIdentity identity(Path dataDir, long nowMs) throws TlsException {
                return new OwnAuthority(dataDir.resolve("tls")).identity(nowMs);
            }

            @Override
            public String toString() {
                return "auto";
            }
        };
    }

    /** A certificate chain and its key, in PEM files. */
    public static Tls files(Path certificates, Path key) {
        return new Tls() {
            @Override
            public ServerIdentity identity(Path dataDir, long nowMs) throws TlsException {
                return PemFiles.identity(certificates, key, nowMs);
            }

            @Override
            public String toString() {
                return certificates + "," + key;
            }
        };
    }

    /**
     * Reads the option's text.
     *
     * @throws IllegalArgumentException if it is neither {@code auto} nor two file names; its message is for the user
     */
    public static Tls parse(String text) {
        if (text.equalsIgnoreCase("auto")) {
            return auto();
        }
        String[] files = text.split(",", -1);
        if (files.length != 2 || files[0].isBlank() || files[1].isBlank()) {
            throw new IllegalArgumentException("Expected auto, or two PEM files as CERT,KEY, but got '" + text + "'.");
        }
        return files(Path.of(files[0].strip()), Path.of(files[1].strip()));
    }

    /**
     * Finds or makes the certificate and its key.
     *
     * @param nowMs the time that validity is judged by, milliseconds since the epoch
     */
    public abstract ServerIdentity identity(Path dataDir, long nowMs) throws TlsException;
}
