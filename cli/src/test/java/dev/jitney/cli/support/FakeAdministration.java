package dev.jitney.cli.support;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A fake administration API (HTTP chapter 2) that stores any description it receives. Tests check the client's requests and its
 * handling of responses without a broker, including responses that a broker would not send.
 */
public final class FakeAdministration implements BeforeAllCallback, AfterAllCallback {
    private static final Pattern DESCRIPTION = Pattern.compile(
            "<(?:\\w+:)?(Queue|Topic|Subscription|Rule)Description[ >].*</(?:\\w+:)?\\1Description>", Pattern.DOTALL);
    private static final String SERVICE_BUS = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";
    private static final int PAGE = 3;

    private final Map<String, String> descriptions = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final List<String> requests = new ArrayList<>();
    private @Nullable HttpServer server;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (server != null) {
            server.stop(0);
        }
    }

    /** Returns a command line that connects to this API. */
    public Run run() {
        if (server == null) {
            throw new IllegalStateException("it runs between beforeAll and afterAll");
        }
        return Commands.anywhere()
                .with(
                        "JITNEY_ADMIN_URL",
                        "http://localhost:" + server.getAddress().getPort());
    }

    /** Deletes all entities and requests. */
    public synchronized void clear() {
        descriptions.clear();
        requests.clear();
    }

    /** Returns method, path and body of all requests, in their order. */
    public synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        String path = URLDecoder.decode(exchange.getRequestURI().getRawPath(), StandardCharsets.UTF_8)
                .substring(1);
        String query = String.valueOf(exchange.getRequestURI().getRawQuery());
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String method = exchange.getRequestMethod();
        requests.add(method + " " + path + " " + body);
        if (!String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"))
                .startsWith("SharedAccessSignature")) {
            error(exchange, 401, "MissingToken: there is none.");
        } else if (method.equals("PUT")) {
            put(exchange, path, body, exchange.getRequestHeaders().getFirst("If-Match") != null);
        } else if (method.equals("DELETE")) {
            boolean found = descriptions
                    .keySet()
                    .removeIf(key ->
                            key.equalsIgnoreCase(path) || key.toLowerCase().startsWith(path.toLowerCase() + "/"));
            if (found) {
                answer(exchange, 200, "");
            } else {
                error(exchange, 404, "No service is hosted at the specified address.");
            }
        } else if (path.matches("(?i)\\$Resources/\\w+|.*/(subscriptions|rules)")) {
            feed(exchange, path, query);
        } else if (descriptions.containsKey(path)) {
            answer(exchange, 200, entry(path));
        } else if (path.contains("/")) {
            error(exchange, 404, "Entity 'ns:" + path + "' was not found.");
        } else {
            answer(
                    exchange,
                    200,
                    "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title type=\"text\">Publicly Listed Services</title></feed>");
        }
    }

    private void put(HttpExchange exchange, String path, String body, boolean update) throws IOException {
        Matcher matcher = DESCRIPTION.matcher(body);
        if (!matcher.find()) {
            error(exchange, 400, "SubCode=40000. Bad Request. " + body);
        } else if (update != descriptions.containsKey(path)) {
            error(exchange, update ? 404 : 409, update ? "SubCode=40400. Not Found." : "SubCode=40900. Conflict.");
        } else if (path.equals("refused")) {
            error(
                    exchange,
                    400,
                    "SubCode=40000. The value &lt;x&gt; is bad. TrackingId:1_G1, SystemTracker:a, Timestamp:2026-11-21T00:00:00");
        } else if (forwardsNowhere(body)) {
            error(exchange, 400, "SubCode=40400. The auto forwarding destination entity does not exist.");
        } else {
            String description = matcher.group()
                    .replaceAll(
                            "(?s)<(CountDetails|MessageCount|SizeInBytes|SubscriptionCount"
                                    + "|CreatedAt|UpdatedAt|AccessedAt)[ >].*?</\\1>",
                            "");
            descriptions.put(path, description);
            if (!update && matcher.group(1).equals("Subscription")) {
                rule(path, description);
            }
            answer(exchange, update ? 200 : 201, entry(path));
        }
    }

    private boolean forwardsNowhere(String body) {
        Matcher forward = Pattern.compile("<ForwardTo>https?://[^/]+/([^<]*)<").matcher(body);
        return forward.find() && !descriptions.containsKey(forward.group(1));
    }

    /** A new subscription has one rule. */
    private void rule(String path, String description) {
        Matcher given = Pattern.compile(
                        "<(?:Default)?Rule(?:Description)?[ >].*?</(?:DefaultRuleDescription|RuleDescription)>",
                        Pattern.DOTALL)
                .matcher(description);
        if (given.find()) {
            Matcher name = Pattern.compile("<Name>(.*?)</Name>").matcher(given.group());
            String inner = given.group().replaceAll("(?s)^<[^>]*>|</[^>]*>$", "");
            descriptions.put(
                    path + "/rules/" + (name.find() ? name.group(1) : "$Default"),
                    "<RuleDescription xmlns=\"" + SERVICE_BUS
                            + "\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">" + inner
                            + "</RuleDescription>");
            descriptions.put(path, description.replace(given.group(), ""));
        } else {
            descriptions.put(
                    path + "/rules/$Default",
                    "<RuleDescription xmlns=\"" + SERVICE_BUS
                            + "\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">"
                            + "<Filter i:type=\"TrueFilter\"><SqlExpression>1=1</SqlExpression></Filter>"
                            + "<Action i:type=\"EmptyRuleAction\"/><Name>$Default</Name></RuleDescription>");
        }
    }

    private void feed(HttpExchange exchange, String path, String query) throws IOException {
        String lower = path.toLowerCase();
        List<String> members = descriptions.keySet().stream()
                .filter(key -> lower.startsWith("$resources/")
                        ? !key.contains("/")
                                && descriptions
                                        .get(key)
                                        .contains(lower.endsWith("queues") ? "QueueDescription" : "TopicDescription")
                        : key.toLowerCase().startsWith(lower + "/")
                                && !key.substring(path.length() + 1).contains("/"))
                .toList();
        if (members.isEmpty()
                && lower.endsWith("/subscriptions")
                && !descriptions.containsKey(path.substring(0, path.lastIndexOf('/')))) {
            error(exchange, 404, "Entity was not found.");
            return;
        }
        Matcher skipped = Pattern.compile("skip=(\\d+)").matcher(query);
        int skip = skipped.find() ? Integer.parseInt(skipped.group(1)) : 0;
        StringBuilder feed =
                new StringBuilder("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title type=\"text\">x</title>"
                        + "<id>https://localhost/" + path + "</id><updated>2026-11-20T10:00:00Z</updated>"
                        + "<link rel=\"self\" href=\"https://localhost/" + path + "\"/>");
        if (members.size() > skip + PAGE) {
            feed.append("<link rel=\"next\" href=\"https://localhost/")
                    .append(path)
                    .append("?%24skip=")
                    .append(skip + PAGE)
                    .append("&amp;%24top=3&amp;api-version=2021-05\"/>");
        }
        members.stream().skip(skip).limit(PAGE).forEach(member -> feed.append(entry(member)));
        answer(exchange, 200, feed.append("</feed>").toString());
    }

    private String entry(String path) {
        String description = descriptions.get(path);
        if (!description.contains("RuleDescription") && !description.contains("<AccessedAt")) {
            int end = description.lastIndexOf("</");
            description = description.substring(0, end)
                    + "<MessageCount>6</MessageCount><SizeInBytes>42</SizeInBytes><SubscriptionCount>1</SubscriptionCount>"
                    + "<FilteringMessagesBeforePublishing>false</FilteringMessagesBeforePublishing>"
                    + "<IsAnonymousAccessible>false</IsAnonymousAccessible>"
                    + "<EntityAvailabilityStatus>Available</EntityAvailabilityStatus>"
                    + "<EnableSubscriptionPartitioning>false</EnableSubscriptionPartitioning>"
                    + "<EnableExpress>false</EnableExpress><CreatedAt>2026-11-20T10:00:00Z</CreatedAt>"
                    + "<UpdatedAt>2026-11-20T10:00:00Z</UpdatedAt><AccessedAt>0001-01-01T00:00:00Z</AccessedAt>"
                    + "<CountDetails xmlns:d2p1=\"http://schemas.microsoft.com/netservices/2011/06/servicebus\">"
                    + "<d2p1:ActiveMessageCount>3</d2p1:ActiveMessageCount>"
                    + "<d2p1:DeadLetterMessageCount>2</d2p1:DeadLetterMessageCount>"
                    + "<d2p1:ScheduledMessageCount>1</d2p1:ScheduledMessageCount>"
                    + "<d2p1:TransferMessageCount>0</d2p1:TransferMessageCount>"
                    + "<d2p1:TransferDeadLetterMessageCount>0</d2p1:TransferDeadLetterMessageCount></CountDetails>"
                    + description.substring(end);
        }
        return "<entry xmlns=\"http://www.w3.org/2005/Atom\"><id>https://localhost/" + path
                + "</id><title type=\"text\">"
                + path.substring(path.lastIndexOf('/') + 1)
                + "</title><published>2026-11-20T10:00:00Z</published><updated>2026-11-20T10:00:00Z</updated>"
                + "<content type=\"application/xml\">" + description + "</content></entry>";
    }

    private static void error(HttpExchange exchange, int status, String detail) throws IOException {
        answer(exchange, status, "<Error><Code>" + status + "</Code><Detail>" + detail + "</Detail></Error>");
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/atom+xml; type=entry; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
