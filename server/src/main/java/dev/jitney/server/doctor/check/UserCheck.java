package dev.jitney.server.doctor.check;

import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The user of the server, and the owner of its files. */
final class UserCheck implements Check {
    @Override
    public String name() {
        return "user";
    }

    @Override
    public void run(Installation of, Findings to) throws IOException {
        Path status = of.process().file("status");
        if (status != null) {
            if (Files.readAllLines(status).stream().anyMatch(line -> line.matches("Uid:\\s+0\\s.*"))) {
                to.warning(
                        "The server runs as root, so a fault in it reaches the whole machine.",
                        "Run it as a user of its own (docs/guides/running-as-a-service.md).");
            } else {
                to.ok("The server does not run as root.");
            }
        }
        Path data = of.dataDir();
        if (data == null || !Files.isDirectory(data)) {
            return;
        }
        String owner = Modes.owner(data);
        if ("root".equals(owner) && status == null) {
            to.advice(
                    data + " belongs to root, so the server probably runs as root.",
                    "Run it as a user of its own, and give the directory to that user with chown -R.");
        }
        for (String file : new String[] {"server.lock", "stores.properties", "store-0"}) {
            Path path = data.resolve(file);
            String other = Files.exists(path) ? Modes.owner(path) : owner;
            if (!Objects.equals(owner, other)) {
                to.warning(
                        path + " belongs to " + other + ", and the data directory to " + named(owner) + ".",
                        "Start the server as the same user every time, and run: chown -R " + named(owner) + " " + data);
                break;
            }
        }
        if (to.isClean() && status == null) {
            to.ok("The data directory belongs to " + named(owner) + ".");
        }
    }

    private static String named(@Nullable String owner) {
        return owner == null ? "an unknown user" : owner;
    }
}
