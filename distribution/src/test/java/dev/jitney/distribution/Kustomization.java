package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The resources of a kustomization, rendered with the few features that the files in {@code deploy/} use: resources, and
 * patches that add to a resource. Other features fail.
 */
final class Kustomization {
    private static final String FILE = "kustomization.yaml";
    private static final Set<String> FEATURES = Set.of("apiVersion", "kind", "resources", "patches");

    /** The field that identifies the elements of a list, by the name of the list. Other lists are replaced. */
    private static final Map<String, String> KEYS = Map.of(
            "containers",
            "name",
            "env",
            "name",
            "volumes",
            "name",
            "volumeMounts",
            "mountPath",
            "ports",
            "containerPort");

    private Kustomization() {}

    /** Returns the resources, each by its kind and name, such as {@code Service jitney}. */
    static Map<String, Map<String, Object>> render(Path folder) throws IOException {
        Map<String, Object> kustomization = DeployFiles.yaml(folder.resolve(FILE));
        assertThat(FEATURES).as("features that this test can render").containsAll(kustomization.keySet());
        Map<String, Map<String, Object>> all = new LinkedHashMap<>();
        for (Object resource : DeployFiles.list(kustomization, "resources")) {
            Path path = folder.resolve(String.valueOf(resource));
            Map<String, Map<String, Object>> added = Files.isDirectory(path) ? render(path) : one(path);
            added.forEach(
                    (name, value) -> assertThat(all.put(name, value)).as(name).isNull());
        }
        if (kustomization.containsKey("patches")) {
            for (Object patch : DeployFiles.list(kustomization, "patches")) {
                assertThat(DeployFiles.map(patch)).containsOnlyKeys("path");
                one(folder.resolve(DeployFiles.text(patch, "path"))).forEach((name, change) -> {
                    assertThat(all).containsKey(name);
                    merge(all.get(name), change);
                });
            }
        }
        return all;
    }

    private static Map<String, Map<String, Object>> one(Path file) throws IOException {
        Map<String, Object> resource = DeployFiles.yaml(file);
        return Map.of(
                DeployFiles.text(resource, "kind") + " " + DeployFiles.text(resource, "metadata", "name"), resource);
    }

    private static void merge(Map<String, Object> into, Map<String, Object> change) {
        change.forEach((name, value) -> {
            assertThat(name).as("a directive").doesNotStartWith("$");
            Object old = into.get(name);
            if (old instanceof Map && value instanceof Map) {
                merge(DeployFiles.map(old), DeployFiles.map(value));
            } else if (old instanceof List && value instanceof List && KEYS.containsKey(name)) {
                into.put(name, merged(DeployFiles.list(into, name), DeployFiles.list(change, name), KEYS.get(name)));
            } else {
                into.put(name, value);
            }
        });
    }

    private static List<Object> merged(List<Object> old, List<Object> change, String key) {
        List<Object> added = new ArrayList<>();
        for (Object each : change) {
            Object same = old.stream()
                    .filter(one -> DeployFiles.text(one, key).equals(DeployFiles.text(each, key)))
                    .findFirst()
                    .orElse(null);
            if (same == null) {
                added.add(each);
            } else {
                merge(DeployFiles.map(same), DeployFiles.map(each));
            }
        }
        added.addAll(old); // as kustomize orders them
        return added;
    }

    /** Returns the files of a folder that its kustomization does not use. */
    static Set<String> unused(Path folder) throws IOException {
        Map<String, Object> kustomization = DeployFiles.yaml(folder.resolve(FILE));
        Set<String> names;
        try (Stream<Path> files = Files.list(folder)) {
            names = files.filter(Files::isRegularFile)
                    .map(file -> String.valueOf(file.getFileName()))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
        names.remove(FILE);
        DeployFiles.list(kustomization, "resources").forEach(resource -> names.remove(String.valueOf(resource)));
        if (kustomization.containsKey("patches")) {
            DeployFiles.list(kustomization, "patches").forEach(patch -> names.remove(DeployFiles.text(patch, "path")));
        }
        return names;
    }
}
