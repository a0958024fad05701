package dev.jitney.server.doctor.check;

import dev.jitney.server.doctor.Check;
import java.util.List;

/** All checks, in the order of the report. */
public final class Checks {
    private Checks() {}

    /** Returns the checks: the cheap ones first, the one that reads all data last. */
    public static List<Check> all() {
        return List.of(
                new ConfigurationCheck(),
                new ServerCheck(),
                new PlatformCheck(),
                new UserCheck(),
                new FilesCheck(),
                new KeysCheck(),
                new PortsCheck(),
                new ExposureCheck(),
                new ClusterCheck(),
                new CertificatesCheck(),
                new ClockCheck(),
                new DiskCheck(),
                new InodesCheck(),
                new DescriptorsCheck(),
                new MemoryCheck(),
                new LeftoversCheck(),
                new DataCheck());
    }
}
