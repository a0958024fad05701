package dev.jitney.server.doctor.check;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the certificates of a PEM file. */
final class CertificateFile {
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----");
    private static final long BYTES_MAX = 1 << 20;

    private CertificateFile() {}

    /** Returns the certificates in their order. Other content is ignored. */
    static List<X509Certificate> read(Path file) throws IOException {
        if (Files.size(file) > BYTES_MAX) {
            throw new IOException(file + " has more than " + BYTES_MAX + " bytes");
        }
        List<X509Certificate> all = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            while (block.find()) {
                all.add((X509Certificate) factory.generateCertificate(
                        new ByteArrayInputStream(block.group().getBytes(StandardCharsets.ISO_8859_1))));
            }
        } catch (CertificateException e) {
            throw new IOException(file + " has a certificate that cannot be read: " + e.getMessage(), e);
        }
        return all;
    }
}
