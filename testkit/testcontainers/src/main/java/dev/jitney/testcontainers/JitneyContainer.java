package dev.jitney.testcontainers;

import dev.jitney.testkit.JitneyBroker;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * A Service Bus broker in a container. It keeps everything in memory, and tests control it, unless other settings are made:
 *
 * <pre>{@code
 * try (JitneyContainer container = new JitneyContainer().withConfig(MountableFile.forClasspathResource("Config.json"))) {
 *     container.start();
 *     use(container.connectionString());
 *     container.broker().clock().advance(Duration.ofMinutes(5));
 * }
 * }</pre>
 *
 * <p>The image is that of a release, which you load with {@code docker load}. There is no license to accept. The port {@value
 * #PORT} of the container serves AMQP, HTTP and WebSockets. Not thread-safe while it is configured; any thread may call the
 * other methods.
 */
public final class JitneyContainer extends GenericContainer<JitneyContainer> {
    /** The port of the container for all protocols. */
    public static final int PORT = 5672;

    private static final String NAME = "localhost/jitney";
    private static final String CONFIG = "/jitney-config.json";
    private static final String KEY_NAME = "RootManageSharedAccessKey";
    private static final int KEY_BYTES = 32;
    private static final Duration START = Duration.ofMinutes(1);

    private final String key = newKey();
    private boolean testMode = true;
    private boolean inMemory = true;

    /** Creates a container from the image of the same release, {@code localhost/jitney}. */
    public JitneyContainer() {
        this(imageOfRelease());
    }

    /**
     * Creates a container from another image.
     *
     * @param image a name such as {@code registry.example/jitney:0.3.0}
     */
    public JitneyContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /** Creates a container from another image. */
    public JitneyContainer(DockerImageName image) {
        super(image);
        withExposedPorts(PORT);
        withEnv("JITNEY_SAS_KEY", key);
        waitingFor(
                Wait.forHttp("/health/ready").forPort(PORT).forStatusCode(200).withStartupTimeout(START));
    }

    /**
     * Begins with the entities of a configuration file in the format of Microsoft's emulator. {@link #connectionString} is that of
     * its first namespace.
     */
    public JitneyContainer withConfig(MountableFile config) {
        withCopyFileToContainer(config, CONFIG);
        return withEnv("JITNEY_CONFIG", CONFIG);
    }

    /** Sets whether tests may control the broker with {@link #broker}: by default they may. */
    public JitneyContainer withTestMode(boolean value) {
        testMode = value;
        return this;
    }

    /** Sets whether the broker keeps everything in memory, which is the default, or in the volume {@code /data}. */
    public JitneyContainer withInMemory(boolean value) {
        inMemory = value;
        return this;
    }

    @Override
    protected void configure() {
        List<String> command = new ArrayList<>(List.of("server"));
        if (testMode) {
            // Requests of the test come from outside the container.
            command.addAll(List.of("--test-mode", "ANY"));
        }
        if (inMemory) {
            command.add("--in-memory");
        }
        setCommand(command.toArray(String[]::new));
    }

    /** Returns the connection string of the first namespace for the SDK, with a key that has all rights. The container must run. */
    public String connectionString() {
        return "Endpoint=sb://" + getHost() + ":" + getMappedPort(PORT) + ";SharedAccessKeyName=" + KEY_NAME
                + ";SharedAccessKey=" + key + ";UseDevelopmentEmulator=true;";
    }

    /**
     * Returns the connection string for administration clients that read the port of a connection string. It is the same one,
     * because the port serves all protocols.
     */
    public String administrationConnectionString() {
        return connectionString();
    }

    /**
     * Returns the controls of the broker: namespaces for single tests, the clock and faults. The container must run.
     *
     * @throws IllegalStateException if the test mode is off
     */
    public JitneyBroker broker() {
        if (!testMode) {
            throw new IllegalStateException("Expected a container in test mode. Remove withTestMode(false).");
        }
        return JitneyBroker.connect(getHost(), getMappedPort(PORT));
    }

    /** Returns a random key, because other machines may reach the port. */
    private static String newKey() {
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    static DockerImageName imageOfRelease() {
        return DockerImageName.parse(NAME).withTag(version());
    }

    private static String version() {
        Properties properties = new Properties();
        try (InputStream in = JitneyContainer.class.getResourceAsStream("version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }
}
