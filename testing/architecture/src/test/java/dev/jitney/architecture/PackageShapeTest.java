package dev.jitney.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Rules that keep packages readable. A package has few files, and its classes can be read one after the other, because
 * few of them need each other in a circle. The rules apply to the main code of all modules, including those under
 * {@code testing}.
 */
final class PackageShapeTest {
    private static final int FILES_MAX = 30;
    private static final int CIRCLE_MAX = 6;

    /** Modules that the default build does not compile. Their circles are checked if they have been compiled. */
    private static final Set<String> OPTIONAL_MODULES = Set.of("comparison");

    @Test
    @DisplayName("No package has more than 30 files")
    void noPackageHasTooManyFiles() throws IOException {
        List<String> tooLarge = new ArrayList<>();
        for (Path module : SourceTree.modules()) {
            Map<String, Integer> counts = new TreeMap<>();
            for (Path source : SourceTree.mainSources(module)) {
                if (!source.endsWith("package-info.java")) {
                    counts.merge(SourceTree.packageOf(module, source), 1, Integer::sum);
                }
            }
            counts.forEach((name, count) -> {
                if (count > FILES_MAX) {
                    tooLarge.add(name + " of " + module.getFileName() + ": " + count + " files");
                }
            });
        }

        assertThat(tooLarge)
                .as(
                        "packages of more than %d files, package-info not counted: move a group of classes that belong"
                                + " together and need the others in one direction only into a new package, with a"
                                + " package-info that gives the reading order",
                        FILES_MAX)
                .isEmpty();
    }

    @Test
    @DisplayName("No more than 6 classes of a package need each other in a circle")
    void noCircleIsTooLarge() throws IOException {
        List<String> tooLarge = new ArrayList<>();
        for (Path module : SourceTree.modules()) {
            Path classes = module.resolve("target").resolve("classes");
            if (!Files.isDirectory(classes)) {
                assertThat(OPTIONAL_MODULES)
                        .as(
                                "modules without compiled classes: compile the whole tree, for example with mvn test-compile")
                        .contains(module.getFileName().toString());
                continue;
            }
            dependencies(classes).forEach((name, graph) -> {
                for (List<String> circle : Circles.of(graph)) {
                    if (circle.size() > CIRCLE_MAX) {
                        tooLarge.add(name + ": " + circle.size() + " classes: " + String.join(", ", circle));
                    }
                }
            });
        }

        assertThat(tooLarge)
                .as(
                        "circles of more than %d classes inside a package, which can only be read together: find the"
                                + " dependency that points back, and replace it by an interface, a function or a value"
                                + " instead of the whole class",
                        CIRCLE_MAX)
                .isEmpty();
    }

    /**
     * Returns by package the dependencies of the classes in a directory. Nested classes count as parts of their
     * outermost class.
     */
    private static Map<String, Map<String, Set<String>>> dependencies(Path classes) {
        Map<String, Map<String, Set<String>>> packages = new TreeMap<>();
        for (JavaClass type : importFolder(classes)) {
            String from = outermost(type);
            Set<String> needed = packages.computeIfAbsent(type.getPackageName(), name -> new TreeMap<>())
                    .computeIfAbsent(from, name -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (target.getPackageName().equals(type.getPackageName())) {
                    needed.add(outermost(target));
                }
            }
            needed.remove(from);
        }
        return packages;
    }

    /** Imports the classes of a directory without those of other modules, which are not needed and take longer to read. */
    private static JavaClasses importFolder(Path classes) {
        return ArchConfiguration.withThreadLocalScope(configuration -> {
            configuration.setResolveMissingDependenciesFromClassPath(false);
            return new ClassFileImporter().importPath(classes);
        });
    }

    private static String outermost(JavaClass type) {
        JavaClass outer = type;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer.getSimpleName();
    }
}
