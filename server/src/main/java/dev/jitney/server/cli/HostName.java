package dev.jitney.server.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of this machine. */
final class HostName {
    private HostName() {}

    /** Returns the host name up to the first dot, which is the name of the pod in a StatefulSet. */
    static String firstLabel() {
        String name = System.getenv("HOSTNAME");
        if (name == null || name.isBlank()) {
            try {
                name = InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "localhost";
            }
        }
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }
}
