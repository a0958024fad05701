package dev.jitney.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.server.config.KeyOrigins;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Tests that the data in pages can be read by the programs for which it is meant. */
class DataBlocksTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    @TestFactory
    @DisplayName("JSON can be parsed, and the server accepts each configuration")
    Stream<DynamicTest> json() {
        return Page.allBlocks("json")
                .map(block -> DynamicTest.dynamicTest(block.where(), () -> {
                    String text = block.text();
                    boolean member = text.startsWith("\"");
                    if (member) {
                        text = "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"shop\"," + text + "}]}}";
                    }
                    int documents = 0;
                    try (MappingIterator<JsonNode> all =
                            JSON.readerFor(JsonNode.class).readValues(text)) {
                        while (all.hasNext()) {
                            all.next();
                            documents++;
                        }
                    }
                    assertThat(documents).isPositive();
                    if (text.contains("UserConfig")) {
                        Path file = Files.writeString(directory.resolve("config.json"), text);
                        // The keys of the page about access rules are in files and a variable.
                        Files.writeString(directory.resolve("audit.key"), "a-key-in-a-file");
                        Files.writeString(directory.resolve("shop.team__orders.web"), "a-key-in-the-directory");
                        KeyOrigins keys = KeyOrigins.of(file, directory, Map.of("ROOT_KEY", "a-key-in-a-variable"));
                        assertThat(ConfigReader.read(file, false, keys).namespaces())
                                .isNotEmpty();
                    }
                }));
    }

    @Test
    @DisplayName("The server accepts the sample configuration")
    void sampleConfiguration() throws Exception {
        assertThat(ConfigReader.read(Page.root().resolve("samples/config.json"), false)
                        .namespaces())
                .hasSize(1);
    }

    @TestFactory
    @DisplayName("YAML can be parsed")
    Stream<DynamicTest> yaml() {
        return Page.allBlocks("yaml")
                .map(block -> DynamicTest.dynamicTest(block.where(), () -> {
                    Object parsed = new Yaml(new SafeConstructor(new LoaderOptions())).<Object>load(block.text());
                    assertThat(parsed).isNotNull();
                }));
    }

    @TestFactory
    @DisplayName("XML can be parsed, and dependencies have the coordinates and versions of the build")
    Stream<DynamicTest> xml() throws Exception {
        String poms = Files.readString(Page.root().resolve("pom.xml"))
                + Files.readString(Page.root().resolve("samples/java/pom.xml"))
                + Files.readString(Page.root().resolve("paired-namespaces/pom.xml"))
                + Files.readString(Page.root().resolve("bom/pom.xml"));
        return Page.allBlocks("xml")
                .map(block -> DynamicTest.dynamicTest(block.where(), () -> {
                    Document document = DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(new InputSource(new StringReader("<page>" + block.text() + "</page>")));
                    NodeList dependencies = document.getElementsByTagName("dependency");
                    for (int i = 0; i < dependencies.getLength(); i++) {
                        Element dependency = (Element) dependencies.item(i);
                        assertThat(poms)
                                .contains("<groupId>" + child(dependency, "groupId") + "</groupId>")
                                .contains("<artifactId>" + child(dependency, "artifactId") + "</artifactId>");
                        // Without a version, the version of the BOM is used.
                        if (dependency.getElementsByTagName("version").getLength() > 0) {
                            assertThat(poms).contains("<version>" + child(dependency, "version") + "</version>");
                        }
                    }
                }));
    }

    private static String child(Element of, String name) {
        return of.getElementsByTagName(name).item(0).getTextContent();
    }

    @TestFactory
    @DisplayName("Variables in a file of settings are options of the server, with valid values")
    Stream<DynamicTest> settings() {
        return Page.allBlocks("ini")
                .filter(block -> !block.text().startsWith("["))
                .map(block -> DynamicTest.dynamicTest(block.where(), () -> {
                    List<String> words = new ArrayList<>(List.of("server"));
                    for (String line : block.text().lines().toList()) {
                        assertThat(line).matches("JITNEY_[A-Z_]+=.*");
                        String name = line.substring("JITNEY_".length(), line.indexOf('='));
                        if (!name.equals("JAVA_OPTS")) {
                            words.add("--" + name.toLowerCase(Locale.ROOT).replace('_', '-'));
                            words.add(line.substring(line.indexOf('=') + 1));
                        }
                    }
                    assertThat(ShellCommands.problem(words)).isNull();
                }));
    }

    @TestFactory
    @DisplayName("systemd accepts each unit, and its commands have the shown options")
    Stream<DynamicTest> units() {
        return Page.allBlocks("ini")
                .filter(block -> block.text().startsWith("["))
                .map(block -> DynamicTest.dynamicTest(block.where(), () -> {
                    assertThat(ShellCommands.in(block.text().replace("$MAINPID", "1"))) // as systemd replaces it
                            .isNotEmpty()
                            .allSatisfy(words ->
                                    assertThat(ShellCommands.problem(words)).isNull());
                    Path analyze = Path.of("/usr/bin/systemd-analyze");
                    Assumptions.assumeTrue(Files.isExecutable(analyze), "systemd-analyze is missing on this machine.");
                    // Replaces parts that are not installed on this machine, so that they cause no errors.
                    Path unit = Files.writeString(
                            directory.resolve("jitney.service"),
                            block.text()
                                    .replace("/opt/jitney/jitney", "/bin/true")
                                    .replaceAll("(?m)^EnvironmentFile=", "$0-"));
                    Path said = directory.resolve("said.txt");
                    Process process = new ProcessBuilder(analyze.toString(), "verify", "--man=no", unit.toString())
                            .redirectErrorStream(true)
                            .redirectOutput(said.toFile())
                            .start();
                    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
                    assertThat(Files.readString(said).lines().filter(line -> line.contains("jitney.service")))
                            .isEmpty();
                }));
    }
}
