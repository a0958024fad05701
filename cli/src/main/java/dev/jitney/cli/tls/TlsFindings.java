package dev.jitney.cli.tls;

import java.security.PublicKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The judgment of a {@link TlsProbe.Result}: problems with the fix of each, and the facts for the report. */
final class TlsFindings {
    private static final Duration SOON = Duration.ofDays(14);
    private static final int RSA_BITS_MIN = 2_048;

    private final String host;
    private final TlsProbe.Result result;
    private final Instant now;

    /**
     * A finding.
     *
     * @param problem true if clients may be refused or unsafe, false for a warning
     */
    record Finding(boolean problem, String text, String fix) {
        Map<String, @Nullable Object> document() {
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            document.put("level", problem ? "problem" : "warning");
            document.put("text", text);
            document.put("fix", fix);
            return document;
        }
    }

    TlsFindings(String host, TlsProbe.Result result, Instant now) {
        this.host = host;
        this.result = result;
        this.now = now;
    }

    List<Finding> all() {
        List<Finding> found = new ArrayList<>();
        if (result.suites().isEmpty()) {
            found.add(new Finding(
                    true,
                    "The server accepts neither TLS 1.3 nor TLS 1.2.",
                    "Enable them: --tls-versions TLSv1.3,TLSv1.2."));
        } else if (!result.suites().containsKey("TLSv1.3")) {
            found.add(new Finding(
                    false, "The server does not accept TLS 1.3.", "Enable it: --tls-versions TLSv1.3,TLSv1.2."));
        }
        for (String weak : result.weak()) {
            found.add(new Finding(
                    true,
                    "The server accepts " + weak + ", which is not safe any more.",
                    "Disable it in the server or in the proxy before it. Jitney itself does not accept it."));
        }
        if (!result.chain().isEmpty()) {
            times(found);
            names(found);
            trust(found);
            strength(found);
        }
        return found;
    }

    private void times(List<Finding> found) {
        for (X509Certificate each : result.chain()) {
            String who = "The certificate of " + each.getSubjectX500Principal();
            Instant end = each.getNotAfter().toInstant();
            Instant begin = each.getNotBefore().toInstant();
            if (now.isAfter(end)) {
                found.add(new Finding(
                        true, who + " expired on " + end + ".", "Replace the files of --tls; no restart is needed."));
            } else if (now.isBefore(begin)) {
                found.add(new Finding(
                        true,
                        who + " is not valid before " + begin + ".",
                        "Correct the clock of this machine, or use another certificate."));
            } else if (now.plus(SOON).isAfter(end)) {
                found.add(new Finding(
                        false, who + " expires on " + end + ".", "Replace the files of --tls; no restart is needed."));
            }
        }
    }

    private void names(List<Finding> found) {
        if (!result.nameFits()) {
            List<String> names = names(result.chain().get(0));
            found.add(new Finding(
                    true,
                    "The certificate is not for " + host + ", but for "
                            + (names.isEmpty() ? "no host" : String.join(", ", names)) + ".",
                    "Connect with one of these names, or use a certificate with this name: --tls auto:" + host
                            + " makes one."));
        }
    }

    private void trust(List<Finding> found) {
        if (result.trust() == null) {
            return;
        }
        X509Certificate last = result.chain().get(result.chain().size() - 1);
        boolean isComplete = last.getSubjectX500Principal().equals(last.getIssuerX500Principal());
        found.add(new Finding(
                true,
                "Java on this machine does not trust the certificate: " + result.trust() + ".",
                isComplete
                        ? "If you know the authority " + last.getSubjectX500Principal()
                                + ", give its certificate to clients, and to this command as --ca FILE. With --tls auto it is"
                                + " the file tls/ca.pem in the data directory."
                        : "Append the certificates of the issuers to the file of --tls, beginning with that of "
                                + last.getIssuerX500Principal() + ", or trust them with --ca FILE."));
    }

    private void strength(List<Finding> found) {
        for (X509Certificate each : result.chain()) {
            PublicKey key = each.getPublicKey();
            if (key instanceof RSAKey rsa && rsa.getModulus().bitLength() < RSA_BITS_MIN) {
                found.add(new Finding(
                        true,
                        "The key of " + each.getSubjectX500Principal() + " has only "
                                + rsa.getModulus().bitLength() + " bits.",
                        "Use an RSA key of " + RSA_BITS_MIN + " bits or more, or an elliptic curve."));
            }
            String algorithm = each.getSigAlgName().toUpperCase(Locale.ROOT);
            boolean isRoot = each.getSubjectX500Principal().equals(each.getIssuerX500Principal());
            if (!isRoot && (algorithm.startsWith("SHA1") || algorithm.startsWith("MD5"))) {
                found.add(new Finding(
                        true,
                        "The certificate of " + each.getSubjectX500Principal() + " is signed with "
                                + each.getSigAlgName() + ".",
                        "Use a certificate that is signed with SHA-256 or better."));
            }
        }
    }

    /** Returns host names and addresses of a certificate. */
    static List<String> names(X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            if (all != null) {
                for (List<?> name : all) {
                    if (name.get(0).equals(2) || name.get(0).equals(7)) {
                        names.add(String.valueOf(name.get(1)));
                    }
                }
            }
        } catch (CertificateParsingException e) {
            return List.of();
        }
        return names;
    }
}
