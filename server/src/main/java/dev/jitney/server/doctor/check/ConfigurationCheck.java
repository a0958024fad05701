package dev.jitney.server.doctor.check;

import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import java.nio.file.Path;

/** The configuration file: errors and warnings. */
final class ConfigurationCheck implements Check {
    @Override
    public String name() {
        return "configuration";
    }

    @Override
    public void run(Installation of, Findings to) {
        String trouble = of.configTrouble();
        if (trouble != null) {
            to.fault(trouble, "Correct the file. The server refuses to start with it.");
        }
        for (String warning : of.options().config().warnings()) {
            to.warning("--config: " + warning, "Correct the member, or remove it.");
        }
        if (to.isClean()) {
            Path file = of.configFile();
            to.ok(file == null ? "There is no configuration file." : file + " has no errors and no warnings.");
        }
    }
}
