package dev.jitney.server.doctor.check;

import dev.jitney.server.cluster.ClusterOptions;
import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import dev.jitney.server.doctor.Probe;
import dev.jitney.server.tls.ClusterCertificates;
import dev.jitney.server.tls.Tls;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Certificates in files and of running servers: their time, their names, and their keys. */
final class CertificatesCheck implements Check {
    private static final Duration SOON = Duration.ofDays(30);
    private static final Duration VERY_SOON = Duration.ofDays(7);
    private static final String AUTO = "auto";
    private static final int RSA_BITS_MIN = 2_048;

    @Override
    public String name() {
        return "certificates";
    }

    @Override
    public void run(Installation of, Findings to) throws IOException {
        Instant now = Instant.ofEpochMilli(of.nowMs());
        for (Path file : files(of)) {
            if (!Files.exists(file)) {
                to.fault(
                        "The certificate file " + file + " does not exist.",
                        "Restore the file, or correct the option.");
                continue;
            }
            List<X509Certificate> chain = CertificateFile.read(file);
            if (chain.isEmpty()) {
                to.fault(file + " has no certificate.", "Use a PEM file with '-----BEGIN CERTIFICATE-----'.");
            } else {
                chain.forEach(certificate -> time(file.toString(), certificate, now, to));
                names(file.toString(), chain.get(0), null, to);
            }
        }
        for (URI url : of.urls()) {
            if ("https".equals(url.getScheme())) {
                served(url, now, to);
            }
        }
        if (to.isClean()) {
            to.ok("There is no certificate that expires within " + SOON.toDays() + " days.");
        }
    }

    private static List<Path> files(Installation of) {
        List<Path> files = new ArrayList<>();
        Tls source = of.options().tls();
        String tls = source == null ? "" : source.toString();
        Path data = of.dataDir();
        if (tls.startsWith(AUTO)) {
            if (data != null && Files.exists(data.resolve("tls"))) {
                files.add(data.resolve("tls").resolve("server.pem"));
                files.add(data.resolve("tls").resolve("ca.pem"));
            }
        } else if (!tls.isEmpty()) {
            files.add(Path.of(tls.split(",", -1)[0]));
        }
        ClusterOptions cluster = of.options().cluster();
        ClusterCertificates nodes = cluster == null ? null : cluster.tls();
        if (nodes != null) {
            files.add(nodes.certificates());
            files.add(nodes.authority());
        }
        return files;
    }

    private static void served(URI url, Instant now, Findings to) {
        try {
            List<X509Certificate> chain = Probe.health(url).certificates();
            chain.forEach(certificate -> time("The server at " + url, certificate, now, to));
            if (!chain.isEmpty()) {
                names("The server at " + url, chain.get(0), url.getHost(), to);
            }
        } catch (IOException e) {
            // the check of the server reports it
        }
    }

    static void time(String where, X509Certificate certificate, Instant now, Findings to) {
        Instant end = certificate.getNotAfter().toInstant();
        String subject = where + ": the certificate of "
                + certificate.getSubjectX500Principal().getName();
        if (now.isAfter(end)) {
            to.fault(subject + " expired on " + end + ".", "Renew it.");
        } else if (now.isBefore(certificate.getNotBefore().toInstant())) {
            to.fault(
                    subject + " is not valid before "
                            + certificate.getNotBefore().toInstant() + ".",
                    "Check the clock of this machine and the certificate.");
        } else if (now.plus(VERY_SOON).isAfter(end)) {
            to.fault(subject + " expires on " + end + ", in less than a week.", "Renew it now.");
        } else if (now.plus(SOON).isAfter(end)) {
            to.warning(
                    subject + " expires on " + end + ".",
                    "Renew it. With --tls auto, a restart of the server in its last month does that.");
        }
        if (certificate.getPublicKey() instanceof RSAPublicKey rsa
                && rsa.getModulus().bitLength() < RSA_BITS_MIN) {
            to.warning(
                    subject + " has an RSA key of " + rsa.getModulus().bitLength() + " bits.",
                    "Use at least 2048 bits, or an EC key.");
        }
    }

    /** @param host the host that clients use, or null if it is not known */
    static void names(String where, X509Certificate certificate, @Nullable String host, Findings to) {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            if (all != null) {
                all.forEach(name -> names.add(String.valueOf(name.get(1)).toLowerCase(Locale.ROOT)));
            }
        } catch (CertificateParsingException e) {
            to.warning(where + ": the names of the certificate cannot be read.", "Renew it.");
            return;
        }
        if (names.isEmpty()) {
            to.warning(
                    where + ": the certificate has no subject alternative name, so clients refuse it.",
                    "Make one with the host names of this server.");
        } else if (host != null && !covers(names, host)) {
            to.warning(
                    where + ": the certificate is not for " + host + ", but for " + String.join(", ", names) + ".",
                    "Use one of these names, or renew it with this name (--tls auto:" + host + ").");
        }
    }

    private static boolean covers(List<String> names, String host) {
        String wanted = host.toLowerCase(Locale.ROOT).replaceAll("[\\[\\]]", "");
        int dot = wanted.indexOf('.');
        return names.contains(wanted)
                || dot > 0 && names.contains("*" + wanted.substring(dot))
                || wanted.equals("::1") && names.contains("0:0:0:0:0:0:0:1");
    }
}
