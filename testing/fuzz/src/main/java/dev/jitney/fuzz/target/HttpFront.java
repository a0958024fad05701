package dev.jitney.fuzz.target;

import dev.jitney.fuzz.server.FuzzedBroker;
import dev.jitney.fuzz.server.HttpClientEnd;
import dev.jitney.gateway.amqp.AmqpGateway;
import dev.jitney.gateway.amqp.AmqpGatewayOptions;
import dev.jitney.gateway.http.FuzzedHttp;
import dev.jitney.gateway.http.HttpGateway;
import dev.jitney.model.AccessRule;
import dev.jitney.runtime.security.SharedAccessSignature;
import dev.jitney.server.FuzzedTunnels;
import dev.jitney.server.identity.FuzzedIdentities;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A broker behind its HTTP gateway, including WebSockets. Created again from time to time. */
final class HttpFront implements ServerTarget.Front {
    static final int PATIENCE_MS = 15_000;

    /** The time after which the client of an incomplete request disconnects; later output of the server is lost. */
    private static final int PAUSE_MS = 10;

    /** One in this number of such clients waits for that time. The others disconnect at once. */
    private static final int PAUSES = 8;

    private static final int INPUTS_PER_LIFE = 5_000;
    private static final long FAR_FUTURE_SECONDS = 4_000_000_000L;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})");
    private static final byte[] GOODBYE =
            "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final String token = SharedAccessSignature.create(
            "https://localhost", AccessRule.ROOT_NAME, FuzzedBroker.KEY, FAR_FUTURE_SECONDS);
    private Life life = Life.begin();
    private int inputs;

    HttpFront() throws Exception {}

    /** A broker with its gateways. */
    private record Life(FuzzedBroker broker, AmqpGateway amqp, HttpGateway http) {

        static Life begin() throws Exception {
            FuzzedBroker broker = new FuzzedBroker();
            AmqpGateway amqp = new AmqpGateway(
                    broker.broker(),
                    AmqpGatewayOptions.plain("127.0.0.1", 0)
                            .withEventLoops(1)
                            .withAdmission(FuzzedIdentities.admission()));
            amqp.start();
            return new Life(broker, amqp, FuzzedHttp.start(broker.broker(), FuzzedTunnels.to(amqp)));
        }

        void end() {
            http.close();
            amqp.close();
            broker.close();
        }
    }

    FuzzedBroker broker() {
        return life.broker();
    }

    /** Returns a token for all entities. */
    String token() {
        return token;
    }

    HttpClientEnd connect() throws Exception {
        if (++inputs % INPUTS_PER_LIFE == 0) {
            life.end();
            life = Life.begin();
        }
        return new HttpClientEnd(life.http().httpPort());
    }

    /**
     * Sends a request and disconnects. Returns the status of the answer, or 0 if there is none.
     *
     * @param complete whether the request is complete, so that the server must answer
     */
    int status(byte[] request, boolean complete) throws Exception {
        try (HttpClientEnd client = connect()) {
            client.send(request).send(GOODBYE);
            boolean pauses = request.length % PAUSES == 0;
            boolean closed = complete
                    ? client.readToEnd(PATIENCE_MS)
                    : pauses && client.readToEnd(PAUSE_MS) || client.finish(PATIENCE_MS);
            String answer = new String(client.take(), StandardCharsets.ISO_8859_1);
            Matcher first = STATUS.matcher(answer);
            if (!closed) {
                throw new AssertionError("Expected an answer or the end of the connection, but got: " + answer);
            }
            for (Matcher any = STATUS.matcher(answer); any.find(); ) {
                int status = Integer.parseInt(any.group(1));
                if (status == 500 && !answer.substring(any.start()).contains("SubCode=")) {
                    throw new AssertionError("Expected no failure of the server, but got: " + answer);
                }
            }
            return first.lookingAt() ? Integer.parseInt(first.group(1)) : 0;
        }
    }

    /** Checks the bystander, and sends a request as a valid client does. */
    @Override
    public void check() throws Exception {
        broker().restore();
        broker().checkBystander();
        int health = status(new byte[0], true);
        if (health != 200) {
            throw new AssertionError("Expected a healthy server, but /health answers " + health + ".");
        }
    }

    @Override
    public void close() {
        life.end();
    }
}
