package dev.jitney.conformance.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.conformance.support.TestTrust;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.security.TlsPolicy;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.tls.ClusterCertificates;
import dev.jitney.server.tls.TestAuthority;
import dev.jitney.server.tls.Tls;
import dev.jitney.server.tls.TlsSettings;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients whose certificate stands for an access rule, and clients that are connected while the server gets a new certificate. */
@Timeout(120)
class ClientCertificateTest {
    private static final String QUEUE = "q";

    @TempDir
    Path dir;

    private TestAuthority authority;
    private JitneyServer server;

    @BeforeEach
    void start() throws Exception {
        authority = new TestAuthority(dir.resolve("ca"));
        show(authority.node("first", "localhost"));
        Files.writeString(
                rules(), "{\"Certificates\": [{\"CommonName\": \"operator\", \"Rule\": \"" + TestBroker.RULE + "\"}]}");
        TlsPolicy policy = new TlsPolicy(
                TlsPolicy.DEFAULT.versions(),
                TlsPolicy.DEFAULT.suites(),
                TlsPolicy.DEFAULT.engine(),
                TlsPolicy.ClientAuthentication.OPTIONAL);
        server = JitneyServer.builder()
                .inMemory(true)
                .sasKey(TestBroker.KEY)
                .allowPublicKey(true)
                .certificatePollMs(20)
                .tls(Tls.files(dir.resolve("tls.crt"), dir.resolve("tls.key")))
                .tlsSettings(new TlsSettings(policy, authority.operator().authority(), rules()))
                .port(0)
                .amqpsPort(0)
                .httpsPort(0)
                .build()
                .start();
        server.broker()
                .namespaces()
                .get(0)
                .createQueue(QueueDescription.named(QUEUE).build())
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Path rules() {
        return dir.resolve("rules.json");
    }

    private void show(ClusterCertificates certificate) throws Exception {
        Files.copy(certificate.certificates(), dir.resolve("tls.crt"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(certificate.key(), dir.resolve("tls.key"), StandardCopyOption.REPLACE_EXISTING);
    }

    private Connection connect(SSLContext context) throws JMSException {
        JmsConnectionFactory factory = new JmsConnectionFactory("amqps://localhost:" + server.amqpsPort()
                + "?amqp.saslMechanisms=EXTERNAL&transport.verifyHost=false&jms.connectTimeout=60000");
        factory.setSslContext(context);
        Connection connection = factory.createConnection();
        connection.start();
        return connection;
    }

    @Test
    @DisplayName("A client sends and receives with SASL EXTERNAL, and loses its links when its entry is removed")
    void external() throws Exception {
        SSLContext known = TestAuthority.unchecked(authority.operator());
        CountDownLatch lost = new CountDownLatch(1);
        try (Connection connection = connect(known)) {
            connection.setExceptionListener(e -> lost.countDown());
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
            MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
            consumer.setMessageListener(message -> {});
            producer.send(session.createTextMessage("one"));
            Session second = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            consumer.close();
            MessageConsumer reader = second.createConsumer(second.createQueue(QUEUE));
            producer.send(session.createTextMessage("two"));
            assertThat(((TextMessage) reader.receive(60_000)).getText()).isEqualTo("two");

            reader.setMessageListener(message -> {});
            Files.writeString(rules(), "{\"Certificates\": []}");
            assertThat(lost.await(60, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> producer.send(session.createTextMessage("three")))
                    .isInstanceOf(JMSException.class);
        }
        assertThatThrownBy(() -> connect(known).close()).isInstanceOf(JMSException.class);
    }

    @Test
    @DisplayName("A client without a certificate, or with one without an entry, cannot use EXTERNAL")
    void externalIsRefused() throws Exception {
        assertThatThrownBy(() -> connect(TestAuthority.stranger()).close()).isInstanceOf(JMSException.class);
        SSLContext other = TestAuthority.unchecked(authority.node("other", "localhost"));
        assertThatThrownBy(() -> connect(other).close()).isInstanceOf(JMSException.class);
    }

    @Test
    @DisplayName(
            "The Java SDK continues on its connection while the server gets a new certificate, and new clients see that")
    void reload() throws Exception {
        try (TestTrust trust = TestTrust.in(trustStore());
                Sdk sdk = sdk()) {
            assertThat(trust).isNotNull();
            ServiceBusSenderClient sender = sdk.sender(QUEUE);
            ServiceBusReceiverClient receiver = sdk.deletingReceiver(QUEUE);
            sender.sendMessage(new ServiceBusMessage("before"));
            assertThat(Sdk.next(receiver).getBody()).hasToString("before");
            String connections = openedConnections();

            show(authority.node("second", "localhost"));
            while (!subject().contains("CN=second")) {
                Thread.onSpinWait(); // the timeout of the class ends it
            }
            sender.sendMessage(new ServiceBusMessage("after"));
            assertThat(Sdk.next(receiver).getBody()).hasToString("after");
            assertThat(openedConnections()).isEqualTo(connections);
            try (Sdk another = sdk()) {
                another.send(QUEUE, "another");
            }
            assertThat(Sdk.next(receiver).getBody()).hasToString("another");
        }
    }

    private Path trustStore() throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        try (InputStream in = Files.newInputStream(authority.operator().authority())) {
            keys.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        Path file = dir.resolve("trust.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            keys.store(out, "changeit".toCharArray());
        }
        return file;
    }

    private Sdk sdk() {
        return new Sdk(TestBroker.withShortTimeouts(new ServiceBusClientBuilder()
                .connectionString("Endpoint=sb://localhost;SharedAccessKeyName=" + TestBroker.RULE + ";SharedAccessKey="
                        + TestBroker.KEY)
                .customEndpointAddress("https://localhost:" + server.amqpsPort())));
    }

    private String subject() throws Exception {
        try (SSLSocket socket = (SSLSocket) TestAuthority.stranger()
                .getSocketFactory()
                .createSocket("localhost", Objects.requireNonNull(server.amqpsPort()))) {
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        }
    }

    private String openedConnections() throws Exception {
        HttpClient client =
                HttpClient.newBuilder().sslContext(SSLContext.getDefault()).build();
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create("https://localhost:" + server.httpsPort() + "/metrics"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return answer.body()
                .lines()
                .filter(line -> line.startsWith("jitney_amqp_opened_connections_total"))
                .findFirst()
                .orElseThrow();
    }
}
