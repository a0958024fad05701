package dev.jitney.gateway.http.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the pages of the console")
class ConsolePagesTest extends ConsoleScenario {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    @Test
    @DisplayName("a browser that opens the address of the server is sent to the console, other clients are not")
    void root() throws Exception {
        open(ConsoleAccess.LOOPBACK);
        Answer browser = own("GET", "/", "", "Accept", "text/html,*/*;q=0.8");
        assertThat(browser.status()).isEqualTo(302);
        assertThat(browser.headers()).containsEntry("location", "/console/");
        assertThat(own("GET", "/", "", "Accept", "*/*").status()).isEqualTo(401);
        assertThat(own("GET", "/", "", "Accept", "text/html", "Authorization", TestBroker.token())
                        .status())
                .isNotEqualTo(302);
        assertThat(own("GET", "/?api-version=2021-05", "", "Accept", "text/html")
                        .status())
                .isEqualTo(401);
        assertThat(own("GET", "/console", "").headers()).containsEntry("location", "/console/");
    }

    @Test
    @DisplayName("a page permits nothing but its own files, and is not stored; its files may be stored for ever")
    void headers() throws Exception {
        open(ConsoleAccess.ON);
        Answer page = own("GET", "/console/", "");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).isEqualTo("<!doctype html><title>Jitney</title>\n");
        assertThat(page.headers())
                .containsEntry("content-security-policy", POLICY)
                .containsEntry("x-content-type-options", "nosniff")
                .containsEntry("referrer-policy", "no-referrer")
                .containsEntry("cache-control", "no-store")
                .containsEntry("content-type", "text/html; charset=utf-8");
        Answer script = own("GET", "/console/assets/app-1a2b.js", "");
        assertThat(script.headers())
                .containsEntry("content-security-policy", POLICY)
                .containsEntry("cache-control", "public, max-age=31536000, immutable")
                .containsEntry("content-type", "text/javascript; charset=utf-8");
        String tag = script.headers().get("etag");
        Answer again = own("GET", "/console/assets/app-1a2b.js", "", "If-None-Match", tag);
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @Test
    @DisplayName("a file is sent compressed if the client accepts that")
    void compressed() throws Exception {
        open(ConsoleAccess.ON);
        Answer packed = own("GET", "/console/assets/app-1a2b.js", "", "Accept-Encoding", "gzip, br");
        assertThat(packed.headers()).containsEntry("content-encoding", "gzip").containsEntry("vary", "Accept-Encoding");
        assertThat(packed.body()).startsWith("\u001f\u008b");
        assertThat(own("GET", "/console/assets/app-1a2b.js", "", "Accept-Encoding", "gzip;q=0")
                        .body())
                .isEqualTo("console.log(\"console\");\n");
    }

    @Test
    @DisplayName("an entity with the name console is reached as before")
    void entityOfThatName() throws Exception {
        open(ConsoleAccess.ON);
        broker.create("console");
        assertThat(own("POST", "/console/messages", "hello", "Authorization", TestBroker.token())
                        .status())
                .isEqualTo(201);
        assertThat(own("GET", "/console?api-version=2021-05", "", "Authorization", TestBroker.token())
                        .body())
                .contains("<entry");
        assertThat(own("GET", "/console/assets/other.js", "").status()).isEqualTo(401);
    }

    @Test
    @DisplayName("without the console its paths do not exist")
    void off() throws Exception {
        open(ConsoleAccess.OFF);
        assertThat(own("GET", "/", "", "Accept", "text/html").status()).isEqualTo(401);
        assertThat(own("GET", "/console/", "").status()).isEqualTo(401);
        assertThat(own("POST", "/console/session", "{\"publicKey\": true}").headers())
                .doesNotContainKey("set-cookie");
    }

    @Test
    @DisplayName("a client on another machine gets the console only if it is on for all")
    void otherMachines() throws Exception {
        Optional<InetAddress> address = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(each ->
                        !each.isLoopbackAddress() && !each.isLinkLocalAddress() && each.getAddress().length == 4)
                .findFirst();
        Assumptions.assumeTrue(address.isPresent(), "This machine has only loopback addresses.");
        open("0.0.0.0", ConsoleAccess.LOOPBACK);
        String url = "http://" + address.get().getHostAddress() + ":" + port();
        assertThat(status(url + "/console/")).isEqualTo(403);
        assertThat(status(url + "/console/session")).isEqualTo(403);
        assertThat(status(url + "/")).isEqualTo(401);
        assertThat(own("GET", "/console/", "").status()).isEqualTo(200);
    }

    private static int status(String url) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Accept", "text/html")
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }
}
