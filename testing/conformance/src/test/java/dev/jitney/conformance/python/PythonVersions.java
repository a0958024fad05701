package dev.jitney.conformance.python;

/** The versions that Debian 12 has, for which the programs are written. */
public final class PythonVersions {
    /** Of azure-servicebus, the last one but few on uamqp. */
    public static final String SERVICE_BUS = "7.8.2";

    /** Of Qpid Proton. */
    public static final String PROTON = "0.37.0";

    private PythonVersions() {}
}
