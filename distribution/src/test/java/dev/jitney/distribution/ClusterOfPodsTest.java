package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.distribution.Artifacts.Result;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests of a cluster, run without Kubernetes: {@link Pods}. */
@Tag("release")
@Timeout(240)
class ClusterOfPodsTest {
    static final String KEY = "a-key-of-this-test-that-nobody-else-has";

    private static final List<String> NAMES = List.of("jitney-0", "jitney-1", "jitney-2");
    private static final Map<String, String> CLIENT = Map.of(
            "JITNEY_CONNECTION_STRING",
            "Endpoint=sb://localhost;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=" + KEY
                    + ";UseDevelopmentEmulator=true;");

    @TempDir
    Path dir;

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"plain", "tls"})
    @DisplayName(
            "CL-46, CL-51, CL-63, CL-70: pods that start at the same time found a cluster and keep a message: over a rolling restart"
                    + " with new addresses, or when one with an empty volume joins again")
    @EnabledIfSystemProperty(named = "os.arch", matches = "amd64")
    void life(String variant) throws Exception {
        for (String program : List.of("unshare", "nsenter", "ip")) {
            needs(program);
        }
        Map<String, Object> set = Kustomization.render(DeployFiles.FOLDER.resolve("kubernetes/cluster/" + variant))
                .get("StatefulSet jitney");
        try (Pods pods = new Pods(UnpackedImage.of("amd64", dir.resolve("unpacked")), set, dir)) {
            if (variant.equals("tls")) {
                pods.makeNodeKeys();
            }
            for (String name : NAMES) {
                pods.start(name);
            }
            for (String name : NAMES) {
                pods.awaitReady(name);
            }
            ok(pods, pods.exec("jitney-0", CLIENT, "queue", "create", "orders"));
            ok(pods, pods.exec("jitney-0", CLIENT, "send", "orders", "one coffee"));
            assertThat(ok(pods, pods.exec("jitney-1", CLIENT, "peek", "orders")))
                    .contains("one coffee");
            String status = ok(pods, pods.exec("jitney-2", Map.of(), "cluster", "status"));
            assertThat(status).contains(", leader jitney-").contains(NAMES);
            if (variant.equals("tls")) {
                // The machine has no certificate of an operator.
                assertThat(pods.get("jitney-0", "node", "/metrics")).startsWith("403 ");
                assertThat(pods.get("jitney-0", "node", "/cluster")).startsWith("403 ");
            } else {
                metrics(pods);
            }

            // The two halves of a long life, one for each variant.
            if (variant.equals("tls")) {
                restartOneAfterTheOther(pods);
            } else {
                joinWithAnEmptyVolume(pods);
            }
            assertThat(ok(pods, pods.exec("jitney-1", Map.of(), "cluster", "verify")))
                    .contains("equal");
        }
    }

    private static void restartOneAfterTheOther(Pods pods) throws Exception {
        for (String name : List.of("jitney-2", "jitney-1", "jitney-0")) {
            assertThat(pods.stop(name)).as(pods.logs()).isZero();
            pods.start(name);
            pods.awaitReady(name);
        }
        assertThat(ok(pods, pods.exec("jitney-2", CLIENT, "peek", "orders"))).contains("one coffee");
    }

    private static void joinWithAnEmptyVolume(Pods pods) throws Exception {
        assertThat(pods.stop("jitney-1")).isZero();
        pods.wipe("jitney-1");
        pods.start("jitney-1");
        pods.awaitReady("jitney-1");
        assertThat(ok(pods, pods.exec("jitney-1", Map.of(), "cluster", "status")))
                .contains(NAMES);
        assertThat(ok(pods, pods.exec("jitney-1", CLIENT, "peek", "orders"))).contains("one coffee");
    }

    private static void metrics(Pods pods) throws Exception {
        int leaders = 0;
        for (String name : NAMES) {
            String metrics = pods.get(name, "node", "/metrics");
            assertThat(metrics).startsWith("200 ").contains("jitney_cluster_role{", "jvm_memory_used_bytes{");
            if (metrics.contains("jitney_cluster_role{role=\"leader\"} 1.0")) {
                leaders++;
                assertThat(metrics).contains("jitney_entity_messages{", "jitney_store_serving{");
            }
        }
        assertThat(leaders).isEqualTo(1);
    }

    private static String ok(Pods pods, Result result) throws Exception {
        assertThat(result.status()).as("%s%n%s", result, pods.logs()).isZero();
        return result.out();
    }

    /** Skips a test if a program is missing, but fails if {@code JITNEY_CI} is true. */
    private void needs(String program) throws Exception {
        Map<String, String> path = Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        boolean there =
                Artifacts.run(dir, path, "sh", "-c", "command -v " + program).status() == 0
                        && Artifacts.run(
                                                dir,
                                                path,
                                                Pods.asRoot("unshare", "--net", "true")
                                                        .toArray(String[]::new))
                                        .status()
                                == 0;
        String missing = "Expected " + program + " on the PATH, and root or sudo without a password.";
        if (!there && "true".equals(System.getenv("JITNEY_CI"))) {
            throw new AssertionError(missing + " In CI this test must not be skipped.");
        }
        Assumptions.assumeTrue(there, missing);
    }
}
