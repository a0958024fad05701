package dev.jitney.gateway.http.admin;

import static dev.jitney.gateway.http.admin.AdminFixture.detail;
import static dev.jitney.gateway.http.admin.AdminFixture.queue;
import static dev.jitney.gateway.http.admin.AdminFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.jitney.gateway.http.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Bodies in every format of the SDKs, and in invalid formats. */
class HostileBodiesTest {
    private static final String ATOM = "http://www.w3.org/2005/Atom";
    private static final String C = AdminFixture.CONNECT;

    private final AdminFixture f = new AdminFixture();

    @AfterEach
    void stop() {
        f.close();
    }

    private HttpResponse<String> put(String path, String body) {
        return f.send("PUT", path, body, "Authorization", f.token);
    }

    @Test
    @DisplayName("HTTP checklist 26: prefixes, declarations, whitespace and the order of elements do not matter")
    void forms() {
        String lock = "<LockDuration>PT30S</LockDuration>";
        String session = "<RequiresSession>true</RequiresSession>";
        String[] bodies = {
            AdminFixture.entry(queue(lock + session)),
            AdminFixture.entry(queue(session + lock)),
            "<?xml version='1.0' encoding='utf-8' standalone='yes'?>" + AdminFixture.entry(queue(lock + session)),
            "\ufeff" + AdminFixture.entry(queue(lock + session)),
            "<ns0:entry xmlns:ns0=\"" + ATOM + "\"><ns0:content type=\"application/xml\"><QueueDescription xmlns=\"" + C
                    + "\">" + lock + session + "</QueueDescription></ns0:content></ns0:entry>",
            "<ns0:entry xmlns:ns0=\"" + ATOM + "\" xmlns:ns1=\"" + C + "\"><ns0:content><ns1:QueueDescription>"
                    + "<ns1:RequiresSession>1</ns1:RequiresSession><ns1:LockDuration>PT30S</ns1:LockDuration>"
                    + "</ns1:QueueDescription></ns0:content></ns0:entry>",
            "<?xml version=\"1.0\"?>\r\n<entry xmlns=\"" + ATOM + "\">\r\n  <title type=\"text\">other</title>\r\n"
                    + "  <updated>2020-01-01T00:00:00Z</updated>\r\n  <!-- why not -->\r\n"
                    + "  <content type=\"application/xml\">\r\n    <QueueDescription xmlns=\"" + C + "\">\r\n      "
                    + "<LockDuration>\r\n        PT30S\r\n      </LockDuration>\r\n      "
                    + "<RequiresSession><![CDATA[True]]></RequiresSession>\r\n    </QueueDescription>\r\n  </content>"
                    + "\r\n</entry>\r\n",
        };
        for (int i = 0; i < bodies.length; i++) {
            HttpResponse<String> answer = put("/q" + i, bodies[i]);
            assertThat(answer.statusCode()).as(bodies[i] + answer.body()).isEqualTo(201);
            assertThat(text(answer, "title")).isEqualTo("q" + i);
            assertThat(f.get("/q" + i).body().replace("q" + i, "q0"))
                    .isEqualTo(f.get("/q0").body());
        }
    }

    @Test
    @DisplayName("HTTP 2.4: a body other than an entry with one description is refused, and creates nothing")
    void noEntries() {
        for (String body : new String[] {
            "",
            "x",
            "<entry",
            "<entry xmlns=\"" + ATOM + "\"/>",
            "<entry xmlns=\"" + ATOM + "\"><content/></entry>",
            "<entry>" + queue("") + "</entry>",
            queue(""),
            AdminFixture.entry(queue("")).replace(ATOM, ATOM + "x"),
            AdminFixture.entry("<QueueDescription/>"),
            AdminFixture.entry("<QueueDescription xmlns=\"other\"/>"),
            AdminFixture.entry(queue("") + queue("")),
            AdminFixture.entry(queue("")).replace("</entry>", "<content/></entry>"),
            AdminFixture.entry(queue("")) + "<more/>",
            AdminFixture.entry(queue("<LockDuration>PT30S</LockDuration>")).replace("PT30S", "&unknown;"),
            AdminFixture.entry(queue("<a:b/>")),
            AdminFixture.entry(queue("<UserMetadata>\u0001</UserMetadata>")),
            AdminFixture.entry(queue("<UserMetadata>&#0;</UserMetadata>")),
            "{\"a\":1}",
        }) {
            assertThat(detail(put("/orders", body), 400)).as(body).startsWith("SubCode=40000. ");
        }
        assertThat(f.broker.broker.namespace(null).entities()).isEmpty();
    }

    @Test
    @DisplayName("HTTP checklist 69: DOCTYPE is refused, which prevents entity expansion, file access and requests")
    void doctypes() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            calls.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/x.dtd";
            StringBuilder bomb = new StringBuilder("<!DOCTYPE b [<!ENTITY a0 \"aaaaaaaaaa\">");
            for (int i = 1; i < 30; i++) {
                bomb.append("<!ENTITY a")
                        .append(i)
                        .append(" \"")
                        .append(("&a" + (i - 1) + ";").repeat(10))
                        .append("\">");
            }
            for (String doctype : new String[] {
                "<!DOCTYPE entry>",
                "<!DOCTYPE entry SYSTEM \"" + url + "\">",
                "<!DOCTYPE entry PUBLIC \"x\" \"" + url + "\">",
                "<!DOCTYPE entry [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>",
                "<!DOCTYPE entry [<!ENTITY % x SYSTEM \"" + url + "\"> %x;]>",
                bomb.append("]>").toString(),
            }) {
                String body = doctype
                        + AdminFixture.entry(queue(
                                "<UserMetadata>" + (doctype.contains("a29") ? "&a29;" : "&x;") + "</UserMetadata>"));
                assertThat(detail(put("/orders", body), 400)).startsWith("SubCode=40000. ");
                assertThat(detail(put("/orders", doctype + AdminFixture.entry(queue(""))), 400))
                        .startsWith("SubCode=40000. ");
            }
            assertThat(calls).hasValue(0);
        } finally {
            server.stop(0);
        }
    }

    @Test
    @DisplayName("HTTP checklist 70: too large, too deep, too many elements: refused cheaply")
    void tooMuch() {
        String large = AdminFixture.entry(queue("<UserMetadata>" + "x".repeat(2 << 20) + "</UserMetadata>"));
        assertThat(put("/orders", large).statusCode()).isEqualTo(413);
        assertThat(detail(put("/orders", AdminFixture.entry(queue("<a>".repeat(100_000)))), 400))
                .startsWith("SubCode=40000. ");
        assertThat(detail(put("/orders", AdminFixture.entry(queue("<a/>".repeat(100_000)))), 400))
                .startsWith("SubCode=40000. ");
        StringBuilder attributes = new StringBuilder("<a");
        for (int i = 0; i < 50_000; i++) {
            attributes.append(" a").append(i).append("=\"\"");
        }
        assertThat(put("/orders", AdminFixture.entry(queue(attributes + "/>"))).statusCode())
                .isEqualTo(400);
        f.created("/orders", queue("<a/>".repeat(1_000)));
    }

    @Test
    @DisplayName("HTTP 2.4: bodies may be chunked, and other encodings of XML are supported")
    void transfers() throws IOException {
        String body = AdminFixture.entry(queue("<UserMetadata>\u00e9</UserMetadata>"));
        try (RawClient client = new RawClient(f.gateway.httpPort())) {
            byte[] utf8 = body.getBytes(StandardCharsets.UTF_8);
            String bytes = new String(utf8, StandardCharsets.ISO_8859_1);
            String head = "PUT /q HTTP/1.1\r\nHost: h\r\nAuthorization: " + f.token + "\r\n";
            assertThat(client.send(head + "Transfer-Encoding: chunked\r\n\r\n5\r\n" + bytes.substring(0, 5) + "\r\n"
                                    + Integer.toHexString(utf8.length - 5) + "\r\n" + bytes.substring(5)
                                    + "\r\n0\r\n\r\n")
                            .answer())
                    .startsWith("HTTP/1.1 201");
            String utf16 =
                    new String(("\ufeff" + body).getBytes(StandardCharsets.UTF_16BE), StandardCharsets.ISO_8859_1);
            assertThat(client.send(head.replace("/q", "/q16") + "Content-Length: " + utf16.length() + "\r\n\r\n"
                                    + utf16)
                            .answer())
                    .startsWith("HTTP/1.1 201");
        }
        assertThat(text(f.get("/q"), "UserMetadata")).isEqualTo("\u00e9");
        assertThat(text(f.get("/q16"), "UserMetadata")).isEqualTo("\u00e9");
    }
}
