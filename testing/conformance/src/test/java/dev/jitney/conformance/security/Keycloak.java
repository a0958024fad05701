package dev.jitney.conformance.security;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/** Keycloak on this machine, in development mode and with an imported realm, from its distribution. It ends with {@link #close}. */
final class Keycloak implements AutoCloseable {
    /** The SHA-256 of the archive of the version in the pom.xml of this module. */
    private static final String SHA_256 = "9fe5f9213ecf83f24b53b27409f3e0f20e10edce36aaa0828778a57c80f07a87";

    private static final int START_SECONDS = 240;
    private static final int STOP_SECONDS = 30;

    private final Process process;
    private final int port;
    private final Path log;

    private Keycloak(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /**
     * Unpacks and starts Keycloak, and waits until it answers.
     *
     * @param archive the archive with the distribution
     * @param folder  an empty folder
     * @param realm   the JSON of the realm {@code jitney}
     */
    static Keycloak start(Path archive, Path folder, int port, String realm) throws Exception {
        requireOriginal(archive);
        Files.createDirectories(folder);
        run(folder, "tar", "xzf", archive.toString(), "--strip-components=1");
        Files.createDirectories(folder.resolve("data/import"));
        Files.writeString(folder.resolve("data/import/jitney-realm.json"), realm);
        Path log = folder.resolve("keycloak.log");
        ProcessBuilder builder = new ProcessBuilder(
                        folder.resolve("bin/kc.sh").toString(),
                        "start-dev",
                        "--import-realm",
                        "--http-host=127.0.0.1",
                        "--http-port=" + port,
                        "--hostname=http://localhost:" + port)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_OPTS_KC_HEAP", "-Xms64m -Xmx512m -XX:TieredStopAtLevel=1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Keycloak keycloak = new Keycloak(builder.start(), port, log);
        try {
            keycloak.awaitAnswer();
            return keycloak;
        } catch (Exception | AssertionError failed) {
            keycloak.close();
            throw failed;
        }
    }

    private static void requireOriginal(Path archive) throws IOException, GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (InputStream in = Files.newInputStream(archive)) {
            byte[] buffer = new byte[1 << 16];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        String actual = HexFormat.of().formatHex(digest.digest());
        if (!actual.equals(SHA_256)) {
            throw new AssertionError("Expected the SHA-256 " + SHA_256 + " of " + archive + ", but got " + actual
                    + ". If the version in the pom.xml is new, change the constant in Keycloak.java.");
        }
    }

    private static void run(Path folder, String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        if (process.waitFor() != 0) {
            throw new AssertionError("Expected success of " + String.join(" ", command) + ", but it failed.");
        }
    }

    private void awaitAnswer() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest discovery = HttpRequest.newBuilder(URI.create(issuer() + "/.well-known/openid-configuration"))
                .build();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (System.nanoTime() < end) {
            try {
                if (client.send(discovery, BodyHandlers.ofString()).statusCode() == 200) {
                    return;
                }
            } catch (IOException notYet) {
                // The port is not open yet.
            }
            if (process.waitFor(1, TimeUnit.SECONDS)) {
                break;
            }
        }
        throw new AssertionError("Keycloak did not start within " + START_SECONDS + " s:\n" + Files.readString(log));
    }

    String issuer() {
        return "http://localhost:" + port + "/realms/jitney";
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
