package dev.jitney.conformance.clients;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jitney.conformance.python.PythonVersions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A client that the tests run, or whose requests they replay. */
enum Client {
    JAVA(
            "Java",
            "azure-messaging-servicebus",
            Client::javaVersion,
            "Java(?!Script).*/.*",
            "In receive-and-delete mode, a request for 1,000 messages overflows the buffer of the SDK, which drops some of them. Request at most 200.",
            "The SDK reads an absent `header.ttl` as zero. Jitney writes 4294967295 for a message without an expiry"
                    + " (amqp-wire 4.2).",
            "The SDK does not see that a dead-lettering was refused, for example after the lock was lost"
                    + " (amqp-wire 5.2). If its store is unavailable, Jitney ends the link instead, which the SDK sees.",
            "The administration client dials port 443, whatever port the connection string names. A policy of the client's"
                    + " pipeline can change the port.",
            "The SDK names a link after its session: one connection accepts a session once.",
            "A settlement, or the end of a transaction, that the application requests while the connection breaks may wait"
                    + " for the total timeout of the SDK, four minutes with default options. The message is delivered again meanwhile.",
            "A management request, such as a peek, that meets a lost connection fails with an error without a condition. The"
                    + " SDK does not repeat it; the next call connects again."),
    JAVA_OLD(
            "Java",
            "azure-messaging-servicebus",
            () -> pomProperty("oldsdk", "oldsdk.servicebus.version"),
            "OldJavaSdk.*/.*",
            "The SDK does not know `UseDevelopmentEmulator` and takes no port: it needs TLS on port 5671, or on port 443"
                    + " with AMQP over WebSocket. The tests use the latter.",
            "The limits of the newer version apply too."),
    JAVA_TRACK_1(
            "Java, track 1",
            "azure-servicebus",
            () -> pomProperty("track1", "track1.servicebus.version"),
            "CrossClientTest/track1.*",
            "The SDK does not know `UseDevelopmentEmulator` and takes no port: it needs TLS on port 5671, or on port 443"
                    + " with AMQP over WebSocket. The tests use the latter.",
            "After its link was lost, a message cannot be settled (amqp-wire 5.3).",
            "The SDK does not see that a dead-lettering was refused (amqp-wire 5.2), except if its store is unavailable."),
    JAVASCRIPT(
            "JavaScript",
            "@azure/service-bus",
            Client::javaScriptVersion,
            "JavaScript.*/.*",
            "After its link was lost, a message cannot be settled (amqp-wire 5.3).",
            "Node accepts the authority of `--tls auto` only with `NODE_EXTRA_CA_CERTS`."),
    PYTHON(
            "Python",
            "azure-servicebus",
            () -> PythonVersions.SERVICE_BUS,
            "Python.*/.*",
            "The SDK does not know `UseDevelopmentEmulator`: it needs TLS on port 5671. With AMQP over WebSocket it takes"
                    + " a port in `custom_endpoint_address`.",
            "The administration client ignores `connection_verify`. It accepts the authority in `REQUESTS_CA_BUNDLE`.",
            "The SDK does not send its timeout for the next available session, so the server waits for 65 seconds.",
            "The SDK reports a queue that does not exist as `ServiceBusAuthenticationError`; the text names the queue.",
            "A management request, such as a peek or a cancellation, that meets a lost connection fails with a"
                    + " `ServiceBusError` without a condition. The SDK does not repeat it; the next call connects again."),
    QPID_JMS(
            "Qpid JMS",
            "qpid-jms-client",
            () -> pomProperty("..", "qpid.jms.version"),
            "QpidJms.*/.*",
            "Selectors are refused with `amqp:not-implemented`."),
    PROTON(
            "Qpid Proton",
            "python3-qpid-proton",
            () -> PythonVersions.PROTON,
            "ProtonTest/.*",
            "Selectors are refused with `amqp:not-implemented`."),
    NET(".NET", "Azure.Messaging.ServiceBus", null, "(Recorded|Replayed).*/.*\\.NET.*"),
    GO("Go", "azservicebus", null, "(Recorded|Replayed).*/.*\\bGo\\b.*");

    private final String language;
    private final String library;
    private final @Nullable Supplier<String> version;
    private final Pattern tests;
    private final List<String> limits;

    /** @param tests the class of a test without its package, a slash, and the display names from its method on */
    Client(String language, String library, @Nullable Supplier<String> version, String tests, String... limits) {
        this.language = language;
        this.library = library;
        this.version = version;
        this.tests = Pattern.compile(tests);
        this.limits = List.of(limits);
    }

    /** Returns the client that a test runs, or null if it runs none of them. */
    static @Nullable Client of(String className, String names) {
        for (Client client : values()) {
            if (client.tests.matcher(className + "/" + names).matches()) {
                return client;
            }
        }
        return null;
    }

    /** Returns whether the tests run the client itself; otherwise they replay its requests. */
    boolean runs() {
        return version != null;
    }

    String title() {
        return version == null ? language : language + " " + version.get();
    }

    String library() {
        return library;
    }

    List<String> limits() {
        return limits;
    }

    private static String javaVersion() {
        try (InputStream in = Client.class.getResourceAsStream("/azure-messaging-servicebus.properties")) {
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String javaScriptVersion() {
        try {
            return new ObjectMapper()
                    .readTree(Path.of("js/node_modules/@azure/service-bus/package.json")
                            .toFile())
                    .path("version")
                    .textValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the version in the POM of another module under {@code testing}. */
    private static String pomProperty(String module, String name) {
        try {
            Path pom = Path.of("..", module, "pom.xml");
            Matcher value =
                    Pattern.compile("<" + Pattern.quote(name) + ">([^<]+)<").matcher(Files.readString(pom));
            if (!value.find()) {
                throw new IllegalStateException(
                        "Expected the property " + name + " in " + pom + ", but it is missing.");
            }
            return value.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
