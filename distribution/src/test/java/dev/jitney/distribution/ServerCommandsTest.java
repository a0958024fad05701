package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.distribution.container.ContainerMain;
import dev.jitney.server.cli.JitneyCli;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ServerCommandsTest {
    @Test
    @DisplayName("The image and the launchers have all commands of the server's program except developer tools")
    void commands() throws IOException {
        Set<String> names = new TreeSet<>(JitneyCli.model().getSubcommands().keySet());
        names.remove("bench");
        assertThat(ContainerMain.SERVER_COMMANDS).containsExactlyInAnyOrderElementsOf(names);
        for (String launcher : List.of("jitney.sh", "jitney.bat")) {
            assertThat(Templates.text(launcher, Map.of("VERSION", "1"))).contains(ContainerMain.SERVER_COMMANDS);
        }
    }
}
