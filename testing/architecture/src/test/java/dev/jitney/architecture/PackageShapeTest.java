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
 * A package can be read in one go: it has few files, and its classes can be read one after the other, because few of them
 * need each other in a circle. The rules hold for the main code of all modules, also of those under {@code testing}.
 */
final class PackageShapeTest {
    private static final int FILES_MAX = 30;
    private static final int CIRCLE_MAX = 6;

    /** Modules that the default build does not compile: their circles are looked for if they have been compiled. */
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
                                + " together and need the others in one direction only into a package of its own, with a"
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
                        "circles of more than %d classes inside a package, which can only be read all at once: find the"
                                + " dependency that points back, and cut it by handing in an interface, a function or a value"
                                + " instead of the class that has everything",
                        CIRCLE_MAX)
                .isEmpty();
    }

    /** By package: the classes of a folder, nested ones as parts of their outermost one, with those that each needs. */
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

    /** Without the classes of other modules, which would take longer to read and are not asked for. */
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
