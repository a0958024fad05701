package dev.jitney.distribution.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * The licenses of libraries, which must be in {@value #PERMITTED}. Those of jars are in the POMs beside them, or in the parents of
 * these POMs; those of packages of npm are in the lock files.
 */
public final class Licenses {
    /** The file with the permitted licenses, in the root of the source tree. */
    public static final String PERMITTED = "licenses-permitted.txt";

    private static final int MOST_PARENTS = 10;

    /** SPDX identifiers by names and addresses, as {@link #normal} writes them. */
    private final Map<String, String> permitted = new LinkedHashMap<>();

    private Licenses() {}

    /**
     * Reads the permitted licenses.
     *
     * @param root the root of the source tree
     * @throws IOException if the file cannot be read or a line has another form
     */
    public static Licenses permitted(Path root) throws IOException {
        Licenses licenses = new Licenses();
        Path file = root.resolve(PERMITTED);
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split("  ", -1);
            if (parts.length != 2 || parts[0].isBlank() || parts[1].isBlank()) {
                throw new IOException(
                        file + ": Expected lines such as SPDX-ID  NAME-OR-ADDRESS, but got '" + line + "'.");
            }
            licenses.permitted.put(normal(parts[1]), parts[0]);
        }
        return licenses;
    }

    /**
     * Returns the permitted licenses of jars in a local Maven repository, by {@code group:artifact version}. Jars elsewhere, such as those of a
     * build, and Jitney's own are left out.
     *
     * @return SPDX identifiers, separated by " or " if the user of the library can choose
     * @throws IOException if a library has no permitted license; the message names it, its licenses and the fix
     */
    public Map<String, String> of(List<Path> jars) throws IOException {
        Map<String, String> all = new TreeMap<>();
        for (Path jar : jars) {
            String artifact = Libraries.artifact(jar);
            if (artifact != null && !artifact.startsWith(Libraries.OWN + ":")) {
                String[] parts = artifact.split(":", -1);
                all.put(
                        parts[0] + ":" + parts[1] + " " + parts[2],
                        choose(artifact, ofPom(repository(jar, parts), parts)));
            }
        }
        return all;
    }

    /**
     * Returns the permitted licenses of the packages in a lock file of npm, by {@code npm:NAME VERSION}.
     *
     * @throws IOException as {@link #of}
     */
    public Map<String, String> ofPackages(Path lock) throws IOException {
        Map<String, String> all = new TreeMap<>();
        JsonNode packages = new ObjectMapper().readTree(lock.toFile()).path("packages");
        for (Map.Entry<String, JsonNode> entry : packages.properties()) {
            int name = entry.getKey().lastIndexOf(Libraries.MODULES);
            if (name >= 0) {
                String module = "npm:" + entry.getKey().substring(name + Libraries.MODULES.length()) + " "
                        + entry.getValue().path("version").asText();
                String license = entry.getValue().path("license").asText();
                all.put(module, choose(module, license.isEmpty() ? Set.of() : Set.of(license)));
            }
        }
        return all;
    }

    private String choose(String library, Set<String> names) throws IOException {
        Set<String> identifiers = names.stream()
                .map(name -> permitted.get(normal(name)))
                .filter(java.util.Objects::nonNull)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (identifiers.isEmpty()) {
            throw new IOException(
                    "Expected a license of " + PERMITTED + " for the library " + library + ", but it has "
                            + (names.isEmpty() ? "none" : String.join(", ", names))
                            + ". Read that license. If it permits the use, add a line to the file; otherwise use another library.");
        }
        return String.join(" or ", identifiers);
    }

    /** Addresses differ in their protocol, and names in their case. */
    private static String normal(String text) {
        return text.strip().toLowerCase(Locale.ROOT).replaceFirst("^https?://(www\\.)?", "");
    }

    private static Path repository(Path jar, String[] coordinates) {
        Path path = jar.toAbsolutePath();
        int above = coordinates[0].split("\\.").length + 3;
        for (int i = 0; i < above && path.getParent() != null; i++) {
            path = path.getParent();
        }
        return path;
    }

    /** Returns names and addresses of the licenses in the POM, or in the nearest parent that has some. */
    private static Set<String> ofPom(Path repository, String[] coordinates) throws IOException {
        String group = coordinates[0];
        String artifact = coordinates[1];
        String version = coordinates[2];
        for (int i = 0; i < MOST_PARENTS; i++) {
            Path pom = repository
                    .resolve(group.replace('.', '/'))
                    .resolve(artifact)
                    .resolve(version)
                    .resolve(artifact + "-" + version + ".pom");
            Element project = parse(pom);
            Element licenses = child(project, "licenses");
            if (licenses != null) {
                Set<String> names = new LinkedHashSet<>();
                for (Element license : children(licenses, "license")) {
                    // The address comes first: names such as "The BSD License" stand for several licenses.
                    for (String field : List.of("url", "name")) {
                        Element value = child(license, field);
                        if (value != null) {
                            names.add(value.getTextContent().strip());
                        }
                    }
                }
                return names;
            }
            Element parent = child(project, "parent");
            if (parent == null) {
                return Set.of();
            }
            group = text(parent, "groupId");
            artifact = text(parent, "artifactId");
            version = text(parent, "version");
        }
        return Set.of();
    }

    private static Element parse(Path pom) throws IOException {
        try (InputStream in = Files.newInputStream(pom)) {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            Document document = factory.newDocumentBuilder().parse(in);
            return document.getDocumentElement();
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(pom + " cannot be read as a POM.", e);
        }
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    private static @Nullable Element child(Element parent, String name) {
        List<Element> found = children(parent, name);
        return found.isEmpty() ? null : found.get(0);
    }

    private static String text(Element parent, String name) {
        Element element = child(parent, name);
        return element == null ? "" : element.getTextContent().strip();
    }
}
