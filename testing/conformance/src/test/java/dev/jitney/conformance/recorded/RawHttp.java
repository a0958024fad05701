package dev.jitney.conformance.recorded;

import dev.jitney.conformance.support.TestBroker;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A persistent connection that sends given bytes and parses the responses. Not thread-safe. */
final class RawHttp implements AutoCloseable {
    private static final int PATIENCE_MS = 30_000;

    private final Socket socket;
    private final InputStream in;

    private RawHttp(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MS);
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** Connects to the port without TLS. */
    static RawHttp plain(TestBroker broker) {
        try {
            return new RawHttp(new Socket(InetAddress.getLoopbackAddress(), broker.httpPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connects to the port with TLS. The trust store contains the broker's own authority. */
    static RawHttp tls(TestBroker broker) {
        try (InputStream file = Files.newInputStream(broker.trustStore())) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(file, "changeit".toCharArray());
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return new RawHttp(context.getSocketFactory().createSocket("localhost", broker.httpsPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends a complete request with header and body, and reads the response. */
    Answer send(String request) {
        try {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            String[] status = line().split(" ", 3);
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (String header = line(); !header.isEmpty(); header = line()) {
                int colon = header.indexOf(':');
                headers.put(
                        header.substring(0, colon), header.substring(colon + 1).strip());
            }
            return new Answer(Integer.parseInt(status[1]), headers, body(headers));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String body(Map<String, String> headers) throws IOException {
        String coding = headers.getOrDefault("Transfer-Encoding", "").toLowerCase(Locale.ROOT);
        if (!coding.equals("chunked")) {
            return read(Integer.parseInt(headers.getOrDefault("Content-Length", "0")));
        }
        StringBuilder body = new StringBuilder();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            body.append(read(size));
            line();
        }
        line();
        return body.toString();
    }

    private String read(int bytes) throws IOException {
        byte[] body = in.readNBytes(bytes);
        if (body.length < bytes) {
            throw new EOFException("Expected a body of " + bytes + " bytes, but got " + body.length + ".");
        }
        return new String(body, StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("Expected more lines, but the server closed the connection after: " + line);
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    /** The parts of a response that an SDK may read. Names of {@link #headers} are case-insensitive. */
    record Answer(int status, Map<String, String> headers, String body) {

        /** Returns the body as a document. */
        Xml xml() {
            return Xml.parse(body);
        }

        /** Returns the texts of the elements with that name, in order. */
        List<String> texts(String namespace, String name) {
            return xml().texts(namespace, name);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
