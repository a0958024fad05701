package dev.jitney.distribution;

import static dev.jitney.distribution.DeployFiles.at;
import static dev.jitney.distribution.DeployFiles.list;
import static dev.jitney.distribution.DeployFiles.map;
import static dev.jitney.distribution.DeployFiles.text;
import static dev.jitney.distribution.DeployFiles.variables;
import static dev.jitney.distribution.DeployFiles.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.distribution.Artifacts.Result;
import dev.jitney.model.KeyPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The deployment files of a cluster in {@code deploy/}, compared with the program, with each other and with those of a single
 * node.
 */
class ClusterDeployFilesTest {
    private static final Path FOLDER = DeployFiles.FOLDER.resolve("kubernetes/cluster");
    private static final Map<String, Object> LABELS = Map.of("app.kubernetes.io/name", "jitney");

    /** A node of JITNEY_CLUSTER_NODES without a node port of its own, which is the next one then. */
    private record Node(String name, String host, int replicationPort) {
        static List<Node> parse(@Nullable String text) {
            List<Node> nodes = new ArrayList<>();
            for (String each : String.valueOf(text).split(",", -1)) {
                String[] parts = each.split("[=:]", -1);
                assertThat(parts).as(each).hasSize(3);
                nodes.add(new Node(parts[0], parts[1], Integer.parseInt(parts[2])));
            }
            return nodes;
        }
    }

    private static Map<String, Map<String, Object>> render(String variant) throws IOException {
        return Kustomization.render(FOLDER.resolve(variant));
    }

    private static Map<String, Object> resource(String variant, String name) throws IOException {
        return map(render(variant).get(name));
    }

    private static Map<String, Object> container(String variant) throws IOException {
        return DeployFiles.container(resource(variant, "StatefulSet jitney"));
    }

    @ParameterizedTest
    @DisplayName("A kustomization uses all files of its folder, and has all resources with the same label")
    @ValueSource(strings = {"tls", "plain"})
    void complete(String variant) throws IOException {
        assertThat(Kustomization.unused(FOLDER.resolve(variant))).isEmpty();
        assertThat(Kustomization.unused(FOLDER.resolve("base"))).isEmpty();
        assertThat(render(variant).keySet())
                .containsExactlyInAnyOrder(
                        "Secret jitney",
                        "Service jitney",
                        "Service jitney-nodes",
                        "StatefulSet jitney",
                        "PodDisruptionBudget jitney",
                        "NetworkPolicy jitney",
                        "NetworkPolicy jitney-prometheus",
                        "ServiceMonitor jitney",
                        "PrometheusRule jitney");
        assertThat(render(variant).values())
                .allSatisfy(each -> assertThat(at(each, "metadata", "labels")).isEqualTo(LABELS));
    }

    @ParameterizedTest
    @DisplayName("kubectl renders a kustomization as this test does")
    @ValueSource(strings = {"tls", "plain", ".."})
    void rendered(String variant) throws Exception {
        Map<String, String> path = Map.of("PATH", System.getenv("PATH"), "HOME", "/nonexistent");
        Assumptions.assumeTrue(
                Artifacts.run(FOLDER, path, "sh", "-c", "command -v kubectl").status() == 0,
                "Expected kubectl on the PATH, but it is missing. No package of Debian 12 has a version that knows patches.");
        Result kubectl = Artifacts.run(FOLDER, path, "kubectl", "kustomize", variant);
        assertThat(kubectl.status()).as(kubectl.toString()).isZero();
        Map<String, Object> all = new LinkedHashMap<>();
        for (Object each : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(kubectl.out())) {
            all.put(text(each, "kind") + " " + text(each, "metadata", "name"), each);
        }
        assertThat(all).isEqualTo(new LinkedHashMap<String, Object>(render(variant)));
    }

    @ParameterizedTest
    @DisplayName(
            "The nodes of the settings are the pods of the set, with their stable names and the ports of the container")
    @ValueSource(strings = {"tls", "plain"})
    void nodes(String variant) throws IOException {
        Map<String, Object> set = resource(variant, "StatefulSet jitney");
        Map<String, Object> service = resource(variant, "Service jitney-nodes");
        List<Node> members = Node.parse(variables(container(variant)).get("JITNEY_CLUSTER_NODES"));
        Map<String, Integer> ports = DeployFiles.ports(container(variant));
        assertThat(ports).containsOnlyKeys("amqp", "http", "replication", "node");
        assertThat(ports.get("node")).isEqualTo(ports.getOrDefault("replication", 0) + 1);
        assertThat(members).hasSize((int) at(set, "spec", "replicas"));
        for (int i = 0; i < members.size(); i++) {
            String pod = "jitney-" + i;
            assertThat(members.get(i))
                    .isEqualTo(new Node(
                            pod, pod + "." + text(service, "metadata", "name"), ports.getOrDefault("replication", 0)));
        }
        assertThat(at(set, "spec", "serviceName")).isEqualTo(at(service, "metadata", "name"));
        assertThat(variables(container(variant))).doesNotContainKey("JITNEY_CLUSTER_NODE");
    }

    @ParameterizedTest
    @DisplayName(
            "The pods start at the same time, have time to stop, are spread over machines, and are drained one at a time")
    @ValueSource(strings = {"tls", "plain"})
    void life(String variant) throws IOException {
        Map<String, Object> spec = map(at(resource(variant, "StatefulSet jitney"), "spec"));
        assertThat(spec).containsEntry("podManagementPolicy", "Parallel");
        assertThat(at(spec, "selector", "matchLabels")).isEqualTo(LABELS);
        Map<String, Object> pod = map(at(spec, "template", "spec"));
        assertThat((int) at(pod, "terminationGracePeriodSeconds")).isGreaterThanOrEqualTo(60);
        Object apart = list(pod, "affinity", "podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
                .get(0);
        assertThat(text(apart, "topologyKey")).isEqualTo("kubernetes.io/hostname");
        assertThat(at(apart, "labelSelector", "matchLabels")).isEqualTo(LABELS);
        Map<String, Object> budget = resource(variant, "PodDisruptionBudget jitney");
        assertThat(at(budget, "spec", "maxUnavailable")).isEqualTo(1);
        assertThat(at(budget, "spec", "selector", "matchLabels")).isEqualTo(LABELS);
        assertThat(list(spec, "volumeClaimTemplates")).hasSize(1);
    }

    @ParameterizedTest
    @DisplayName(
            "CL-63, CL-80: the node port decides whether a pod is ready, with HTTPS if the nodes use TLS; nothing restarts a pod")
    @ValueSource(strings = {"tls", "plain"})
    void probes(String variant) throws IOException {
        Map<String, Object> expected = new LinkedHashMap<>(Map.of("path", "/health/synced", "port", "node"));
        if (variables(container(variant)).containsKey("JITNEY_CLUSTER_TLS")) {
            expected.put("scheme", "HTTPS");
        }
        assertThat(at(container(variant), "readinessProbe", "httpGet")).isEqualTo(expected);
        assertThat(container(variant)).doesNotContainKeys("livenessProbe", "startupProbe");
    }

    @ParameterizedTest
    @DisplayName(
            "Clients use all ready pods, the nodes find pods that are not ready, and each node is monitored on its node port")
    @ValueSource(strings = {"tls", "plain"})
    void services(String variant) throws IOException {
        Set<Object> covered = new TreeSet<>();
        for (String name : List.of("jitney", "jitney-nodes")) {
            Map<String, Object> service = resource(variant, "Service " + name);
            assertThat(at(service, "spec", "selector")).isEqualTo(LABELS);
            for (Object port : list(service, "spec", "ports")) {
                assertThat(at(port, "targetPort")).isEqualTo(at(port, "name"));
                assertThat(DeployFiles.ports(container(variant)))
                        .containsEntry(text(port, "name"), (int) at(port, "port"));
                covered.add(at(port, "name"));
            }
        }
        assertThat(covered).containsExactly("amqp", "http", "node", "replication");
        assertThat(map(at(resource(variant, "Service jitney-nodes"), "spec")))
                .containsEntry("clusterIP", "None")
                .containsEntry("publishNotReadyAddresses", true);
        assertThat(map(at(resource(variant, "Service jitney"), "spec"))).doesNotContainKey("publishNotReadyAddresses");
        Map<String, Object> monitor = map(at(resource(variant, "ServiceMonitor jitney"), "spec"));
        assertThat(at(monitor, "selector", "matchLabels")).isEqualTo(LABELS);
        assertThat(LABELS.get(text(monitor, "jobLabel")))
                .as("the job of the alerts")
                .isEqualTo("jitney");
        assertThat(list(monitor, "endpoints")).singleElement().satisfies(endpoint -> {
            assertThat(text(endpoint, "port")).isEqualTo("node");
            assertThat(text(endpoint, "path")).isEqualTo("/metrics");
            assertThat(map(endpoint).getOrDefault("scheme", "http"))
                    .isEqualTo(variables(container(variant)).containsKey("JITNEY_CLUSTER_TLS") ? "https" : "http");
        });
    }

    @ParameterizedTest
    @DisplayName("CL-71: only the pods of the set reach the ports between nodes, and only Prometheus the node port")
    @ValueSource(strings = {"tls", "plain"})
    void network(String variant) throws IOException {
        Map<String, Integer> ports = DeployFiles.ports(container(variant));
        Map<String, Object> policy = map(at(resource(variant, "NetworkPolicy jitney"), "spec"));
        assertThat(at(policy, "podSelector", "matchLabels")).isEqualTo(LABELS);
        assertThat(at(policy, "policyTypes")).isEqualTo(List.of("Ingress"));
        List<Object> rules = list(policy, "ingress");
        assertThat(rules).hasSize(2);
        assertThat(map(rules.get(0))).doesNotContainKey("from");
        assertThat(allowed(rules.get(0))).containsExactly(ports.get("amqp"), ports.get("http"));
        assertThat(list(rules.get(1), "from")).isEqualTo(List.of(Map.of("podSelector", Map.of("matchLabels", LABELS))));
        assertThat(allowed(rules.get(1))).containsExactly(ports.get("replication"), ports.get("node"));

        Map<String, Object> monitoring = map(at(resource(variant, "NetworkPolicy jitney-prometheus"), "spec"));
        assertThat(at(monitoring, "podSelector", "matchLabels")).isEqualTo(LABELS);
        assertThat(list(monitoring, "ingress")).singleElement().satisfies(rule -> {
            assertThat(allowed(rule)).containsExactly(ports.get("node"));
            assertThat(list(rule, "from"))
                    .singleElement()
                    .satisfies(from -> assertThat(map(from)).containsOnlyKeys("namespaceSelector", "podSelector"));
        });
    }

    private static List<Integer> allowed(Object rule) {
        List<Integer> allowed = new ArrayList<>();
        list(rule, "ports").forEach(port -> allowed.add((int) at(port, "port")));
        return allowed;
    }

    @ParameterizedTest
    @DisplayName(
            "A node has the image, the rights and the limits of a single server, and the server refuses the sample key")
    @ValueSource(strings = {"tls", "plain"})
    void security(String variant) throws IOException {
        Map<String, Object> single = yaml("kubernetes/statefulset.yaml");
        Map<String, Object> alone = DeployFiles.container(single);
        for (String field : List.of("image", "imagePullPolicy", "securityContext", "resources")) {
            assertThat(container(variant).get(field)).as(field).isEqualTo(alone.get(field));
        }
        Map<String, Object> pod = map(at(resource(variant, "StatefulSet jitney"), "spec", "template", "spec"));
        Map<String, Object> alonePod = map(at(single, "spec", "template", "spec"));
        for (String field : List.of("automountServiceAccountToken", "enableServiceLinks", "securityContext")) {
            assertThat(pod.get(field)).as(field).isEqualTo(alonePod.get(field));
        }
        assertThat(list(pod, "volumes")).containsAll(list(alonePod, "volumes"));
        assertThat(list(container(variant), "volumeMounts")).containsAll(list(alone, "volumeMounts"));
        assertThat(text(resource(variant, "Secret jitney"), "stringData", "sas-key"))
                .hasSizeLessThan(KeyPolicy.CHARACTERS_MIN);
    }

    @Test
    @DisplayName(
            "CL-70: one variant has TLS between nodes with a key of each pod from a secret, the other says that it has none")
    void encryption() throws IOException {
        assertThat(variables(container("plain")))
                .containsEntry("JITNEY_CLUSTER_PLAIN", "true")
                .doesNotContainKey("JITNEY_CLUSTER_TLS");
        assertThat(variables(container("tls"))).doesNotContainKey("JITNEY_CLUSTER_PLAIN");
        String mount = "/etc/jitney-nodes";
        assertThat(variables(container("tls")).get("JITNEY_CLUSTER_TLS"))
                .isEqualTo(String.join(
                        ",", mount + "/$(POD_NAME).pem", mount + "/$(POD_NAME)-key.pem", mount + "/ca.pem"));
        List<Object> variables = list(container("tls"), "env");
        assertThat(at(variables.get(0), "valueFrom", "fieldRef", "fieldPath"))
                .as("Kubernetes only expands variables that come before")
                .isEqualTo("metadata.name");
        assertThat(text(variables.get(0), "name")).isEqualTo("POD_NAME");
        assertThat(list(container("tls"), "volumeMounts"))
                .contains(Map.of("name", "node-keys", "mountPath", mount, "readOnly", true));
        assertThat(list(resource("tls", "StatefulSet jitney"), "spec", "template", "spec", "volumes"))
                .anySatisfy(volume -> {
                    assertThat(text(volume, "name")).isEqualTo("node-keys");
                    assertThat(text(volume, "secret", "secretName")).isEqualTo("jitney-nodes");
                });
    }

    @Test
    @DisplayName(
            "Every variable in the manifests, in the compose file and in the package belongs to the server and has a valid"
                    + " value")
    void settings() throws IOException {
        DeployFiles.checkSettings(variables(container("tls")));
        DeployFiles.checkSettings(variables(container("plain")));
        DeployFiles.checkSettings(variables(node("node-1")));
        Map<String, String> packaged = new LinkedHashMap<>();
        Pattern.compile("(?m)^#?(JITNEY_[A-Z_]+)=(.*)$")
                .matcher(resource("debian/jitney.env"))
                .results()
                .forEach(each -> assertThat(packaged.put(each.group(1), each.group(2)))
                        .as(each.group(1))
                        .isNull());
        assertThat(packaged.remove("JITNEY_JAVA_OPTS")).isNotNull();
        assertThat(packaged)
                .containsKeys(
                        "JITNEY_CLUSTER_NODES", "JITNEY_CLUSTER_NODE", "JITNEY_CLUSTER_TLS", "JITNEY_CLUSTER_PLAIN");
        assertThat(Node.parse(packaged.get("JITNEY_CLUSTER_NODES")))
                .extracting(Node::name)
                .hasSize(3)
                .contains(packaged.get("JITNEY_CLUSTER_NODE"));
        DeployFiles.checkSettings(packaged);
    }

    @Test
    @DisplayName("The service restarts a node whatever ended it, and gives it a minute to pass the leadership on")
    void service() throws IOException {
        String unit = resource("debian/jitney.service");
        assertThat(unit).contains("\nRestart=always\n", "\nExecStartPost=-/usr/bin/jitney health ");
        assertThat(Integer.parseInt(unit.replaceFirst("(?s).*\nTimeoutStopSec=(\\d+)\n.*", "$1")))
                .isGreaterThanOrEqualTo(60);
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = JitneyRelease.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    @DisplayName("The compose file has three equal nodes with a volume, a host name and ports of their own")
    void compose() throws IOException {
        Map<String, Object> services = map(at(yaml("compose-cluster.yaml"), "services"));
        List<Node> members = Node.parse(variables(node("node-1")).get("JITNEY_CLUSTER_NODES"));
        assertThat(members).extracting(Node::name).containsExactlyElementsOf(services.keySet());
        Map<String, Object> single = map(at(yaml("compose.yaml"), "services", "jitney"));
        Set<String> published = new TreeSet<>();
        Set<String> volumes = new TreeSet<>();
        for (Node member : members) {
            Map<String, Object> node = node(member.name());
            assertThat(node).containsEntry("hostname", member.name());
            assertThat(member.host()).isEqualTo(member.name());
            for (String field :
                    List.of("image", "read_only", "cap_drop", "security_opt", "stop_grace_period", "restart")) {
                assertThat(node.get(field)).as(field).isEqualTo(single.get(field));
            }
            assertThat(node).as("the health check of the image").doesNotContainKey("healthcheck");
            assertThat(at(node, "environment")).isEqualTo(at(node("node-1"), "environment"));
            List<String> inside = new ArrayList<>();
            for (Object port : list(node, "ports")) {
                String[] parts = String.valueOf(port).split(":", -1);
                assertThat(published.add(parts[0])).as(parts[0]).isTrue();
                inside.add(parts[1]);
            }
            assertThat(inside).containsExactly("5672", "5300");
            assertThat(list(node, "volumes")).singleElement().asString().endsWith(":/data");
            volumes.add(String.valueOf(list(node, "volumes").get(0)).replaceFirst(":.*", ""));
        }
        assertThat(published).hasSize(6);
        assertThat(volumes)
                .isEqualTo(map(at(yaml("compose-cluster.yaml"), "volumes")).keySet());
        assertThat(Files.readString(DeployFiles.FOLDER.resolve("compose-cluster.yaml")))
                .doesNotContain("ALLOW_PUBLIC_KEY");
    }

    private static Map<String, Object> node(String name) throws IOException {
        return map(at(yaml("compose-cluster.yaml"), "services", name));
    }

    @Test
    @DisplayName("This test covers every folder of manifests")
    void folders() throws IOException {
        try (Stream<Path> folders = Files.list(FOLDER)) {
            assertThat(folders.map(folder -> String.valueOf(folder.getFileName())))
                    .containsExactlyInAnyOrder("base", "tls", "plain");
        }
    }
}
