package dev.jitney.fuzz.target;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** A request at the node port of a node without TLS. The answer is never a failure, and the connection ends. */
final class NodePortTarget extends ServerTarget<NodeFront> {
    private static final String UPGRADE = "Connection: Upgrade\r\nUpgrade: jitney-relay\r\n";
    private static final String[] REQUESTS = {
        "GET /health", "GET /cluster", "GET /metrics", "GET /relay", "GET /presence", "POST /cluster/lead?node=b",
        "POST /cluster/verify", "POST /node/hello", "POST /node/join", "POST /node/read", "HEAD /health", "PRI *"
    };
    private static final String[] HEADERS = {
        UPGRADE,
        "Connection: Upgrade\r\nUpgrade: jitney-presence\r\n",
        "Jitney-Protocols: amqp,http\r\n",
        "Jitney-Client: 192.0.2.7:50123\r\n",
        "Jitney-Client: [2001:db8::1]:1\r\n",
        "Content-Length: 5\r\n",
        "Content-Length: 65536\r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Content-Length: -1\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Expect: 100-continue\r\n",
        "Host: x\r\n"
    };

    NodePortTarget() throws Exception {
        super("node-port", words(REQUESTS, HEADERS), NodeFront.plain());
    }

    private static List<byte[]> words(String[]... texts) {
        return Stream.of(texts)
                .flatMap(Stream::of)
                .map(word -> word.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
    }

    @Override
    public byte[] generate(Random random) {
        StringBuilder text = new StringBuilder();
        for (int requests = 1 + random.nextInt(3); requests > 0; requests--) {
            text.append(REQUESTS[random.nextInt(REQUESTS.length)]).append(" HTTP/1.1\r\n");
            for (int headers = random.nextInt(5); headers > 0; headers--) {
                text.append(HEADERS[random.nextInt(HEADERS.length)]);
            }
            text.append("\r\n");
            for (int octets = random.nextInt(8); octets > 0; octets--) {
                text.append((char) random.nextInt(256));
            }
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void run(byte[] input) throws Exception {
        String answer = new String(front.answer(input), StandardCharsets.ISO_8859_1);
        if (answer.startsWith("HTTP/1.1 500")) {
            throw new AssertionError("Expected no failure of the node port, but got: " + answer);
        }
    }
}
