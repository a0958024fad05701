package dev.jitney.conformance.observability;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.conformance.support.TestBroker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests of the server's log, with all levels enabled. */
class LogTest extends SdkTest {
    private static final Pattern TRACKING_ID = Pattern.compile("TrackingId:([0-9a-f-]{36}(_G0)?)");
    private static final String BODY = "a body nobody may see";

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.jitney");
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            event.prepareForDeferredProcessing();
            events.add(event);
        }
    };
    private final Level before = logger.getLevel();

    @BeforeEach
    void listen() {
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
        logger.setLevel(Level.TRACE);
        logger.setAdditive(false);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(appender);
        logger.setLevel(before);
        logger.setAdditive(true);
    }

    @Test
    @DisplayName(
            "GEN-1: the tracking id of an error that a client got is in the log, with namespace, entity, connection")
    void findsTrackingIds() throws Exception {
        String text = failure(sdk.sender("no-such-queue"));
        ILoggingEvent refused = find(idIn(text));
        assertThat(refused.getLevel()).isEqualTo(Level.DEBUG);
        assertThat(field(refused, "namespace")).isEqualTo("sbemulatorns");
        assertThat(field(refused, "connection")).isNotEmpty();
        assertThat(refused.getFormattedMessage()).contains("no-such-queue");

        String document = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + broker.httpPort() + "/no-such-queue/x"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        assertThat(field(find(idIn(document)), "entity")).contains("/no-such-queue/x");
    }

    @Test
    @DisplayName("Keys, signatures, tokens and bodies are never logged, neither on success nor on failure")
    void keepsSecrets() {
        String queue = broker.queue();
        sdk.send(queue, BODY);
        try (ServiceBusReceiverClient receiver = sdk.receiver(queue)) {
            receiver.complete(Sdk.next(receiver));
        }
        String wrongKey = "a-wrong-key-nobody-may-see";
        ServiceBusSenderClient stranger = sdk.keep(new ServiceBusClientBuilder()
                .connectionString("Endpoint=sb://localhost:" + broker.amqpPort() + ";SharedAccessKeyName="
                        + TestBroker.RULE + ";SharedAccessKey=" + wrongKey + ";UseDevelopmentEmulator=true;")
                .retryOptions(new com.azure.core.amqp.AmqpRetryOptions().setMaxRetries(0))
                .sender()
                .queueName(queue)
                .buildClient());
        failure(stranger);
        Await.until("log messages", () -> !events.isEmpty());
        for (ILoggingEvent event : events) {
            String line = event.getFormattedMessage()
                    + event.getKeyValuePairs()
                    + (event.getThrowableProxy() == null
                            ? ""
                            : event.getThrowableProxy().getMessage());
            assertThat(line).doesNotContain(TestBroker.KEY, wrongKey, BODY, "sig=", "SharedAccessSignature sr", "skn=");
        }
    }

    private static String failure(ServiceBusSenderClient sender) {
        try {
            sender.sendMessage(new ServiceBusMessage(BODY));
        } catch (RuntimeException e) {
            return String.valueOf(e);
        }
        throw new AssertionError("Expected a rejection, but the call succeeded.");
    }

    private static String idIn(String text) {
        Matcher matcher = TRACKING_ID.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }

    private ILoggingEvent find(String trackingId) {
        Await.until(
                "tracking id " + trackingId + " in the log",
                () -> logged(trackingId).isPresent());
        return logged(trackingId).orElseThrow();
    }

    private Optional<ILoggingEvent> logged(String trackingId) {
        return events.stream()
                .filter(event -> trackingId.equals(field(event, "trackingId")))
                .findFirst();
    }

    private static String field(ILoggingEvent event, String key) {
        return event.getKeyValuePairs() == null
                ? ""
                : event.getKeyValuePairs().stream()
                        .filter(pair -> pair.key.equals(key))
                        .map(pair -> String.valueOf(pair.value))
                        .findFirst()
                        .orElse("");
    }
}
