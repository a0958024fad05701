package dev.jitney.server.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.AccessRule;
import dev.jitney.runtime.KeySeal;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.StartException;
import dev.jitney.server.config.ConfigException;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.server.config.KeyOrigins;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Secrets in files")
class SecretsTest {
    private static final String CONFIG = """
        {"UserConfig": {"Namespaces": [{"Name": "shop",
          "AccessRules": [
            {"Name": "RootManageSharedAccessKey", "Rights": ["Manage"], "PrimaryKeyEnv": "ROOT_KEY"},
            {"Name": "audit", "Rights": ["Listen"], "PrimaryKeyFile": "audit.key"},
            {"Name": "mounted", "Rights": ["Listen"]}],
          "Queues": [{"Name": "team/orders", "AccessRules": [{"Name": "web", "Rights": ["Send"]}]}]}]}}
        """;

    @TempDir
    Path dir;

    private Path secrets() throws IOException {
        return Files.createDirectories(dir.resolve("secrets"));
    }

    private JitneyServerBuilder builder() throws Exception {
        Path config = Files.writeString(dir.resolve("config.json"), CONFIG);
        return JitneyServer.builder()
                .dataDir(dir.resolve("data"))
                .port(0)
                .config(ConfigReader.read(
                        config, false, KeyOrigins.of(config, secrets(), Map.of("ROOT_KEY", "the-root-key"))));
    }

    private void write(String audit, String mounted, String web) throws IOException {
        Files.writeString(dir.resolve("audit.key"), audit + "\n");
        Files.writeString(secrets().resolve("shop.mounted"), mounted);
        Files.writeString(secrets().resolve("shop.team__orders.web"), web);
        Files.writeString(secrets().resolve("shop.team__orders.web.secondary"), web + "-2");
    }

    private static String key(JitneyServer server, String rule) {
        List<AccessRule> rules = rule.equals("web")
                ? Objects.requireNonNull(server.broker().namespaces().get(0).entity("team/orders"))
                        .description()
                        .accessRules()
                : server.broker().namespaces().get(0).accessRules();
        return rules.stream()
                .filter(each -> each.name().equals(rule))
                .map(each -> each.primaryKey() + "," + each.secondaryKey())
                .findFirst()
                .orElse("none");
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the condition in time").isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    @Test
    @DisplayName(
            "give rules their keys from files, a directory and the environment, and again when a file is replaced or"
                    + " changed")
    void reload() throws Exception {
        write("audit-1", "mounted-1", "web-1");
        try (JitneyServer server = builder().build().start()) {
            assertThat(key(server, "RootManageSharedAccessKey")).isEqualTo("the-root-key,null");
            assertThat(key(server, "audit")).isEqualTo("audit-1,null");
            assertThat(key(server, "mounted")).isEqualTo("mounted-1,null");
            assertThat(key(server, "web")).isEqualTo("web-1,web-1-2");

            Path part = Files.writeString(dir.resolve("audit.key.part"), "audit-2");
            Files.move(
                    part,
                    dir.resolve("audit.key"),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            Files.writeString(secrets().resolve("shop.mounted"), "");
            Files.writeString(secrets().resolve("shop.team__orders.web"), "web-2");
            await(() -> key(server, "audit").equals("audit-2,null")
                    && key(server, "web").equals("web-2,web-1-2"));
            assertThat(key(server, "mounted"))
                    .as("an empty file keeps the old key")
                    .isEqualTo("mounted-1,null");
            Files.writeString(secrets().resolve("shop.mounted"), "mounted-3");
            await(() -> key(server, "mounted").equals("mounted-3,null"));

            var made = server.broker().namespaces().get(0);
            List<AccessRule> more = Stream.concat(
                            made.accessRules().stream(),
                            Stream.of(new AccessRule(
                                    "runtime", java.util.Set.of(dev.jitney.model.AccessRight.SEND), "k", null)))
                    .toList();
            made.setAccessRules(more).toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
        write("audit-4", "mounted-4", "web-4");
        try (JitneyServer server = builder().build().start()) {
            await(() -> key(server, "audit").equals("audit-4,null")
                    && key(server, "web").startsWith("web-4,"));
            assertThat(key(server, "runtime"))
                    .as("another key in a file is no change of the configuration")
                    .isEqualTo("k,null");
        }
    }

    @Test
    @DisplayName("follow the symbolic links of a mounted Kubernetes secret, wait until a file has settled, and report"
            + " trouble once")
    void settled() throws Exception {
        Path first = Files.createDirectory(dir.resolve("v1"));
        Path second = Files.createDirectory(dir.resolve("v2"));
        Files.writeString(first.resolve("key"), "one");
        Files.writeString(second.resolve("key"), "two");
        Path data = Files.createSymbolicLink(dir.resolve("..data"), first);
        Path key = Files.createSymbolicLink(dir.resolve("key"), Path.of("..data", "key"));
        SettledFile file = new SettledFile(key);
        file.begin("one");
        assertThat(file.look()).isEqualTo(new SettledFile.Look(null, null));
        Path swap = Files.createSymbolicLink(dir.resolve("..tmp"), second);
        Files.move(swap, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        assertThat(file.look()).as("not yet settled").isEqualTo(new SettledFile.Look(null, null));
        assertThat(file.look()).isEqualTo(new SettledFile.Look("two", null));
        assertThat(file.look()).isEqualTo(new SettledFile.Look(null, null));
        Files.writeString(second.resolve("key"), "two words");
        assertThat(file.look().trouble()).contains("without spaces").doesNotContain("two words");
        assertThat(file.look()).as("once").isEqualTo(new SettledFile.Look(null, null));
        Files.writeString(second.resolve("key"), "two");
        file.look();
        assertThat(file.look()).isEqualTo(new SettledFile.Look(null, null));
        Files.delete(second.resolve("key"));
        assertThat(file.look().trouble()).isNotNull();
    }

    @Test
    @DisplayName(
            "are refused with their place if a file is missing, if two places are named, or if a client has sent the"
                    + " content")
    void refusals() throws Exception {
        write("audit-1", "mounted-1", "web-1");
        Files.delete(dir.resolve("audit.key"));
        assertThatThrownBy(() -> builder())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("AccessRules[1].PrimaryKeyFile: The file ")
                .hasMessageContaining("audit.key has no usable key");
        write("audit-1", "mounted-1", "web-1");
        Files.delete(secrets().resolve("shop.mounted"));
        assertThatThrownBy(() -> builder())
                .hasMessageContaining(
                        "AccessRules[2].PrimaryKey: Expected a key, but the member is missing. Add PrimaryKey");
        String sent = """
            {"UserConfig": {"Namespaces": [{"Name": "shop", "AccessRules": [
              {"Name": "web", "Rights": ["Send"], "PrimaryKeyFile": "/etc/passwd"}]}]}}
            """;
        assertThatThrownBy(() -> ConfigReader.parse("sent", sent.getBytes(StandardCharsets.UTF_8), false))
                .hasMessageContaining("PrimaryKeyFile: Expected the key itself, because this content was sent");
        String both = CONFIG.replace("\"PrimaryKeyFile\"", "\"PrimaryKey\": \"k\", \"PrimaryKeyFile\"");
        Path config = Files.writeString(dir.resolve("both.json"), both);
        assertThatThrownBy(() ->
                        ConfigReader.read(config, false, KeyOrigins.of(config, secrets(), Map.of("ROOT_KEY", "k"))))
                .hasMessageContaining("Expected one of PrimaryKey, PrimaryKeyFile and PrimaryKeyEnv, but got more.");
        assertThatThrownBy(() -> ConfigReader.read(config, false, KeyOrigins.of(config, secrets(), Map.of())))
                .hasMessageContaining("environment variable ROOT_KEY, but it has none");
    }

    @Test
    @DisplayName("encrypt the keys in the data directory of a whole server, which does not start without the key")
    void encrypted() throws Exception {
        KeySeal seal = KeySeal.parse(Base64.getEncoder().encodeToString(new byte[32]));
        write("audit-key-of-the-test", "mounted-key-of-the-test", "web-key-of-the-test");
        try (JitneyServer server =
                builder().secrets(new Secrets(null, seal)).build().start()) {
            assertThat(key(server, "web")).startsWith("web-key-of-the-test");
        }
        try (Stream<Path> files = Files.walk(dir.resolve("data"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain("key-of-the-test");
            }
        }
        assertThatThrownBy(() -> builder().build().start())
                .isInstanceOf(StartException.class)
                .hasMessageContaining("Expected --secrets-key-file with the key " + seal.currentId());
        try (JitneyServer server =
                builder().secrets(new Secrets(null, seal)).build().start()) {
            assertThat(server.trouble()).isNull();
        }
    }

    @Test
    @DisplayName("are returned again by the next look if they could not be put in force")
    void notInForce() throws Exception {
        Path key = Files.writeString(dir.resolve("key"), "one");
        SettledFile file = new SettledFile(key);
        file.begin("one");
        Files.writeString(key, "two");
        assertThat(file.look().key()).isNull();
        assertThat(file.look().key()).isEqualTo("two");
        assertThat(file.look().key()).isNull();

        file.notInForce();

        assertThat(file.look().key()).isEqualTo("two");
        assertThat(file.look().key()).isNull();
    }
}
