package dev.jitney.server.tls;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.util.IPAddress;

/**
 * The names in a certificate: {@code localhost} and the loopback addresses always, then each namespace and each
 * configured host. Namespaces are listed one by one, because OpenSSL, and with it Node, rejects {@code *.localhost}.
 *
 * @param hosts host names in lower case, in order
 * @param addresses IP addresses in the form of {@link InetAddress#getHostAddress}
 */
record CertificateNames(Set<String> hosts, Set<String> addresses) {
    private static final Pattern HOST =
            Pattern.compile("(\\*\\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*");
    private static final int HOST_MAX = 253;
    private static final String LOCALHOST = "localhost";

    /** Types of subject alternative names (RFC 5280, 4.2.1.6). */
    private static final int DNS = 2;

    private static final int IP = 7;

    /**
     * Returns the names of a server.
     *
     * @param namespaces names of the namespaces, each added as a subdomain of {@code localhost} and of each host
     * @param asked host names and IP addresses that were {@linkplain #isValid checked}
     */
    static CertificateNames of(List<String> namespaces, List<String> asked) {
        Set<String> hosts = new LinkedHashSet<>(List.of(LOCALHOST, "*." + LOCALHOST));
        Set<String> addresses = new LinkedHashSet<>();
        addresses.add(address("127.0.0.1"));
        addresses.add(address("::1"));
        List<String> parents = new ArrayList<>(List.of(LOCALHOST));
        for (String name : asked) {
            if (IPAddress.isValid(name)) {
                addresses.add(address(name));
            } else {
                parents.add(name.toLowerCase(Locale.ROOT));
            }
        }
        for (String parent : parents) {
            hosts.add(parent);
            for (String namespace : namespaces) {
                String child = namespace.toLowerCase(Locale.ROOT) + "." + parent;
                if (!parent.startsWith("*.") && isValid(child)) {
                    hosts.add(child);
                }
            }
        }
        return new CertificateNames(hosts, addresses);
    }

    /** Returns the names in an existing certificate. */
    static CertificateNames of(X509Certificate certificate) throws CertificateParsingException {
        Set<String> hosts = new LinkedHashSet<>();
        Set<String> addresses = new LinkedHashSet<>();
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        if (names != null) {
            for (List<?> name : names) {
                if (name.get(0).equals(DNS)) {
                    hosts.add(String.valueOf(name.get(1)));
                } else if (name.get(0).equals(IP)) {
                    addresses.add(address(String.valueOf(name.get(1))));
                }
            }
        }
        return new CertificateNames(hosts, addresses);
    }

    /** Returns whether a text is a host name, possibly with {@code *} as its first label, or an IP address. */
    static boolean isValid(String name) {
        return IPAddress.isValid(name)
                || name.length() <= HOST_MAX
                        && HOST.matcher(name.toLowerCase(Locale.ROOT)).matches()
                        && !name.matches("[0-9.]+");
    }

    /** Returns these host names and addresses alone, in lower case. Each must be {@linkplain #isValid valid}. */
    static CertificateNames only(List<String> names) {
        Set<String> hosts = new LinkedHashSet<>();
        Set<String> addresses = new LinkedHashSet<>();
        for (String name : names) {
            if (IPAddress.isValid(name)) {
                addresses.add(address(name));
            } else {
                hosts.add(name.toLowerCase(Locale.ROOT));
            }
        }
        return new CertificateNames(hosts, addresses);
    }

    /**
     * Returns whether a certificate with these names is for a host (RFC 6125).
     *
     * @param host a host name in lower case, or an address; an IPv6 address may have brackets
     */
    boolean hasHost(String host) {
        String plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        if (IPAddress.isValid(plain)) {
            return addresses.contains(address(plain));
        }
        int dot = plain.indexOf('.');
        return hosts.stream().anyMatch(plain::equalsIgnoreCase)
                || dot > 0 && hosts.stream().anyMatch(("*" + plain.substring(dot))::equalsIgnoreCase);
    }

    /** Returns the names for people. */
    String text() {
        List<String> all = new ArrayList<>(hosts);
        all.addAll(addresses);
        return all.isEmpty() ? "no host" : String.join(", ", all);
    }

    GeneralNames toGeneralNames() {
        List<GeneralName> names = new ArrayList<>();
        hosts.forEach(host -> names.add(new GeneralName(GeneralName.dNSName, host)));
        addresses.forEach(address -> names.add(new GeneralName(GeneralName.iPAddress, address)));
        return new GeneralNames(names.toArray(new GeneralName[0]));
    }

    private static String address(String text) {
        try {
            return InetAddress.getByName(text).getHostAddress(); // needs no DNS lookup for an address
        } catch (UnknownHostException e) {
            return text;
        }
    }
}
