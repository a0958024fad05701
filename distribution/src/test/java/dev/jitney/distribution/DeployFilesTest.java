package dev.jitney.distribution;

import static dev.jitney.distribution.DeployFiles.at;
import static dev.jitney.distribution.DeployFiles.list;
import static dev.jitney.distribution.DeployFiles.map;
import static dev.jitney.distribution.DeployFiles.text;
import static dev.jitney.distribution.DeployFiles.variables;
import static dev.jitney.distribution.DeployFiles.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.KeyPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The deployment files in {@code deploy/}, compared with the program and the image. */
class DeployFilesTest {
    private static final Set<String> PORTS = Set.of("5672", "5300");

    @ParameterizedTest
    @DisplayName("Every manifest can be parsed, has the name jitney, and is in the kustomization")
    @ValueSource(strings = {"secret", "service", "statefulset", "servicemonitor"})
    void names(String file) throws IOException {
        Map<String, Object> manifest = yaml("kubernetes/" + file + ".yaml");
        assertThat(manifest).containsKeys("apiVersion", "kind");
        assertThat(String.valueOf(manifest.get("kind")).toLowerCase(Locale.ROOT))
                .isEqualTo(file);
        assertThat(at(manifest, "metadata", "name")).isEqualTo("jitney");
        assertThat(at(manifest, "metadata", "labels")).isEqualTo(Map.of("app.kubernetes.io/name", "jitney"));
        assertThat(list(yaml("kubernetes/kustomization.yaml"), "resources")).contains(file + ".yaml");
    }

    @Test
    @DisplayName("The kustomization has every manifest, and the alerts")
    void allKnown() throws IOException {
        Path folder = DeployFiles.FOLDER.resolve("kubernetes");
        assertThat(Kustomization.unused(folder)).isEmpty();
        assertThat(Kustomization.unused(folder.resolve("alerts"))).isEmpty();
        assertThat(Kustomization.render(folder).keySet())
                .containsExactlyInAnyOrder(
                        "Secret jitney",
                        "Service jitney",
                        "StatefulSet jitney",
                        "ServiceMonitor jitney",
                        "PrometheusRule jitney");
    }

    @Test
    @DisplayName("The service, the monitor and the probes use the ports of the container, and the selectors its labels")
    void ports() throws IOException {
        Map<String, String> ports = new HashMap<>();
        DeployFiles.ports(container()).forEach((name, port) -> ports.put(name, String.valueOf(port)));
        assertThat(ports.values()).containsExactlyInAnyOrderElementsOf(PORTS);
        Map<String, Object> service = yaml("kubernetes/service.yaml");
        Map<String, String> served = new HashMap<>();
        for (Object port : list(service, "spec", "ports")) {
            assertThat(ports).containsKey(text(port, "targetPort"));
            served.put(text(port, "name"), text(port, "port"));
        }
        assertThat(served).isEqualTo(ports);
        Object labels = at(yaml("kubernetes/statefulset.yaml"), "spec", "template", "metadata", "labels");
        assertThat(at(service, "spec", "selector")).isEqualTo(labels);
        assertThat(at(yaml("kubernetes/statefulset.yaml"), "spec", "selector", "matchLabels"))
                .isEqualTo(labels);
        Map<String, Object> monitor = yaml("kubernetes/servicemonitor.yaml");
        assertThat(at(monitor, "spec", "selector", "matchLabels")).isEqualTo(at(service, "metadata", "labels"));
        for (Object endpoint : list(monitor, "spec", "endpoints")) {
            assertThat(served).containsKey(text(endpoint, "port"));
            assertThat(text(endpoint, "path")).isEqualTo("/metrics");
        }
        assertThat(probe("livenessProbe")).isEqualTo(Map.of("path", "/health/live", "port", "http"));
        assertThat(probe("startupProbe")).isEqualTo(Map.of("path", "/health/live", "port", "http"));
        assertThat(probe("readinessProbe")).isEqualTo(Map.of("path", "/health/ready", "port", "http"));
    }

    private static Object probe(String name) throws IOException {
        return at(container(), name, "httpGet");
    }

    @Test
    @DisplayName("The container matches the image: its user, only the volume writable, no capabilities")
    void security() throws IOException {
        Map<String, Object> pod = map(at(yaml("kubernetes/statefulset.yaml"), "spec", "template", "spec"));
        assertThat(map(at(pod, "securityContext")))
                .containsEntry("runAsNonRoot", true)
                .containsEntry("runAsUser", ImageTar.USER)
                .containsEntry("runAsGroup", ImageTar.USER)
                .containsEntry("fsGroup", ImageTar.USER);
        assertThat(pod)
                .as("otherwise the cluster sets JITNEY_PORT")
                .containsEntry("enableServiceLinks", false)
                .containsEntry("automountServiceAccountToken", false);
        assertThat(map(at(container(), "securityContext")))
                .containsEntry("readOnlyRootFilesystem", true)
                .containsEntry("allowPrivilegeEscalation", false);
        assertThat(list(container(), "securityContext", "capabilities", "drop")).isEqualTo(List.of("ALL"));
        assertThat(map(at(container(), "resources"))).containsKeys("requests", "limits");
        assertThat(at(yaml("kubernetes/statefulset.yaml"), "spec", "replicas")).isEqualTo(1);
        List<String> mounts = new ArrayList<>();
        for (Object mount : list(container(), "volumeMounts")) {
            mounts.add(text(mount, "mountPath"));
        }
        assertThat(mounts).containsExactly("/data", "/etc/jitney");
    }

    @Test
    @DisplayName("The secret has the key's file, and the server refuses its sample text")
    void key() throws IOException {
        Map<String, Object> keys = map(at(yaml("kubernetes/secret.yaml"), "stringData"));
        assertThat(variables(container())).containsEntry("JITNEY_SAS_KEY_FILE", "/etc/jitney/sas-key");
        assertThat(keys).containsOnlyKeys("sas-key");
        assertThat(String.valueOf(keys.get("sas-key"))).hasSizeLessThan(KeyPolicy.CHARACTERS_MIN);
        assertThat(container()).extracting(Object::toString).asString().doesNotContain("ALLOW_PUBLIC_KEY");
        assertThat(Files.readString(DeployFiles.FOLDER.resolve("compose.yaml"))).doesNotContain("ALLOW_PUBLIC_KEY");
    }

    @Test
    @DisplayName("Every variable in these files belongs to the server and has a valid value")
    void settings() throws IOException {
        Map<String, String> all = new HashMap<>(variables(container()));
        all.putAll(variables(service("compose.yaml", "jitney")));
        Map<String, String> emulator = new HashMap<>(variables(service("compose-emulator.yaml", "emulator")));
        emulator.keySet().removeAll(Set.of("ACCEPT_EULA", "SQL_SERVER", "MSSQL_SA_PASSWORD"));
        all.putAll(emulator);
        assertThat(all).hasSizeGreaterThan(4);
        DeployFiles.checkSettings(all);
    }

    @ParameterizedTest
    @DisplayName("A compose file has the image of this version, the ports of the server, and no capabilities")
    @ValueSource(strings = {"compose.yaml", "compose-emulator.yaml"})
    void compose(String file) throws IOException {
        Map<String, Object> service = service(file, file.equals("compose.yaml") ? "jitney" : "emulator");
        assertThat(service.get("image")).isEqualTo("localhost/jitney:" + Artifacts.version());
        assertThat(container().get("image")).isEqualTo("localhost/jitney:" + Artifacts.version());
        assertThat(service.get("read_only")).isEqualTo(true);
        assertThat(service.get("cap_drop")).isEqualTo(List.of("ALL"));
        Set<String> ports = new TreeSet<>();
        for (Object port : list(service, "ports")) {
            ports.add(String.valueOf(port).replaceFirst(".*:", ""));
            if (file.contains("emulator")) {
                assertThat(String.valueOf(port)).as("with a public key").startsWith("127.0.0.1:");
            }
        }
        assertThat(ports).isEqualTo(new TreeSet<>(PORTS));
    }

    @Test
    @DisplayName("The emulator's compose file mounts Config.json at the path of its setting")
    void emulatorConfig() throws IOException {
        Map<String, Object> service = service("compose-emulator.yaml", "emulator");
        String config = variables(service).get("JITNEY_CONFIG");
        assertThat(config).isEqualTo("/ServiceBus_Emulator/ConfigFiles/Config.json");
        assertThat(list(service, "volumes")).hasSize(2);
        assertThat(list(service, "volumes").get(0)).asString().endsWith(":" + config + ":ro");
        assertThat(list(service, "volumes").get(1))
                .as("messages survive the removal of the container")
                .isEqualTo("data:/data");
        assertThat(map(at(yaml("compose-emulator.yaml"), "volumes"))).containsKey("data");
        assertThat(variables(service)).containsEntry("JITNEY_ALLOW_PUBLIC_KEY", "true");
    }

    @Test
    @DisplayName("The alert rules for the operator equal those of the file for Prometheus")
    void alerts() throws IOException {
        assertThat(at(yaml("kubernetes/alerts/prometheusrule.yaml"), "spec"))
                .isEqualTo(yaml("prometheus/jitney-rules.yaml"));
    }

    private static Map<String, Object> container() throws IOException {
        return DeployFiles.container(yaml("kubernetes/statefulset.yaml"));
    }

    private static Map<String, Object> service(String file, String name) throws IOException {
        return map(at(yaml(file), "services", name));
    }
}
