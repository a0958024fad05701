package dev.jitney.server.cli;

import java.security.Security;

/**
 * The time for which this process keeps the addresses of other machines. Java keeps them for 30 seconds, and gRPC does too. A
 * node that starts again may have a new address, as a pod of Kubernetes has, and the others must find it soon.
 */
final class NameLookups {
    private static final String SECONDS = "networkaddress.cache.ttl";
    private static final String NEGATIVE_SECONDS = "networkaddress.cache.negative.ttl";

    /** The default of Java. */
    private static final String NEGATIVE_DEFAULT = "10";

    private NameLookups() {}

    /** Keeps addresses for a short time, unless the operator has set another one. Call it before the first lookup of a name. */
    static void keepShort() {
        if (Security.getProperty(SECONDS) == null && System.getProperty("sun.net.inetaddr.ttl") == null) {
            Security.setProperty(SECONDS, "3");
        }
        if (NEGATIVE_DEFAULT.equals(Security.getProperty(NEGATIVE_SECONDS))
                && System.getProperty("sun.net.inetaddr.negative.ttl") == null) {
            Security.setProperty(NEGATIVE_SECONDS, "1");
        }
        if (System.getProperty(SECONDS) == null) {
            System.setProperty(SECONDS, "3"); // read by gRPC
        }
    }
}
