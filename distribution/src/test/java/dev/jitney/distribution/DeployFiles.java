package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.server.cli.JitneyCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Reads the deployment files in {@code deploy/}. */
final class DeployFiles {
    static final Path FOLDER = Artifacts.root().resolve("deploy");

    private DeployFiles() {}

    static Map<String, Object> yaml(String file) throws IOException {
        return yaml(FOLDER.resolve(file));
    }

    static Map<String, Object> yaml(Path file) throws IOException {
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
    }

    /** Returns the value at a path, and fails if it is missing. */
    static Object at(Object from, String... path) {
        Object value = from;
        for (String name : path) {
            value = map(value).get(name);
            assertThat(value).as(String.join(".", path)).isNotNull();
        }
        return value;
    }

    static String text(Object from, String... path) {
        return String.valueOf(at(from, path));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        assertThat(value).isInstanceOf(Map.class);
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object from, String... path) {
        Object value = at(from, path);
        assertThat(value).isInstanceOf(List.class);
        return (List<Object>) value;
    }

    /** Returns the only container of a stateful set. */
    static Map<String, Object> container(Map<String, Object> statefulSet) {
        List<Object> containers = list(statefulSet, "spec", "template", "spec", "containers");
        assertThat(containers).hasSize(1);
        return map(containers.get(0));
    }

    /** Returns the environment, which is a list in Kubernetes and a map in compose. */
    static Map<String, String> variables(Map<String, Object> container) {
        Map<String, String> variables = new LinkedHashMap<>();
        if (container.get("environment") != null) {
            map(container.get("environment")).forEach((name, value) -> variables.put(name, String.valueOf(value)));
        } else {
            for (Object each : list(container, "env")) {
                if (map(each).get("value") != null) {
                    variables.put(text(each, "name"), text(each, "value"));
                }
            }
        }
        return variables;
    }

    /** Returns the ports of a container by their names. */
    static Map<String, Integer> ports(Map<String, Object> container) {
        Map<String, Integer> ports = new LinkedHashMap<>();
        for (Object port : list(container, "ports")) {
            ports.put(text(port, "name"), Integer.valueOf(text(port, "containerPort")));
        }
        return ports;
    }

    /** Fails unless each variable belongs to the server, which accepts its value. */
    static void checkSettings(Map<String, String> variables) {
        CommandLine program = JitneyCli.model();
        CommandLine server = program.getSubcommands().get("server");
        List<String> arguments = new ArrayList<>(List.of("server"));
        int checked = 0;
        for (Map.Entry<String, String> each : variables.entrySet()) {
            String option = "--"
                    + each.getKey()
                            .replaceFirst("^JITNEY_", "")
                            .replace('_', '-')
                            .toLowerCase(Locale.ROOT);
            OptionSpec known = server.getCommandSpec().findOption(option);
            assertThat(known).as(each.getKey()).isNotNull();
            arguments.add(option + "=" + each.getValue());
            checked++;
        }
        assertThat(program.parseArgs(arguments.toArray(String[]::new))
                        .subcommand()
                        .matchedOptions())
                .hasSize(checked);
    }
}
