package dev.jitney.conformance.python;

/** The versions in Debian 12, for which the programs are written. */
public final class PythonVersions {
    /** The version of azure-servicebus, one of the last ones that use uamqp. */
    public static final String SERVICE_BUS = "7.8.2";

    /** The version of Qpid Proton. */
    public static final String PROTON = "0.37.0";

    private PythonVersions() {}
}
