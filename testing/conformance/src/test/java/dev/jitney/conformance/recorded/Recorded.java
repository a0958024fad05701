package dev.jitney.conformance.recorded;

import dev.jitney.conformance.support.TestBroker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A writer of requests as one SDK sends them, byte for byte: header spellings and their order, query strings, tokens,
 * and XML (HTTP 1.4, 2.3 and 2.4). Descriptions are plain elements in the order of the reference, with {@code i:type}
 * for typed elements and {@code x:} before the names of XML Schema types.
 */
abstract class Recorded {
    static final String KEY = TestBroker.KEY;
    static final String RULE = TestBroker.RULE;

    private static final Pattern TYPE = Pattern.compile(" i:type=\"(x:)?([A-Za-z]+)\"");

    private final String name;
    private final String authority;
    private final long expirySeconds;

    /**
     * Creates a writer.
     *
     * @param authority host and port as configured in the SDK
     * @param expirySeconds the end of all tokens in seconds since the epoch
     */
    Recorded(String name, String authority, long expirySeconds) {
        this.name = name;
        this.authority = authority;
        this.expirySeconds = expirySeconds;
    }

    final String authority() {
        return authority;
    }

    final long expirySeconds() {
        return expirySeconds;
    }

    /**
     * Returns a token with the field order of most SDKs.
     *
     * @param resource the resource as it is signed, escaped
     * @param rule the name of the rule as it is written, escaped by some SDKs
     */
    final String signed(String resource, String rule) {
        return "SharedAccessSignature sr=" + resource + "&sig="
                + Signature.lower(Signature.of(resource, expirySeconds, KEY)) + "&se=" + expirySeconds + "&skn=" + rule;
    }

    /** Returns the query of a GET for one entity, with {@code enrich} if the SDK uses it. */
    abstract String getQuery(boolean runtime);

    abstract String listQuery(int skip);

    abstract String writeQuery();

    /** Returns the value of the header Authorization. */
    abstract String authorization(String pathAndQuery);

    /** Returns the value of the supplementary headers for a forwarding destination. */
    abstract String supplementary(String destination);

    /** Returns the value of {@code ForwardTo}. */
    abstract String forwardTo(String destination);

    abstract String contentType();

    /** Returns the user agent and all other headers, in order. */
    abstract List<String> otherHeaders();

    /** Returns the prefix for XML Schema instance. */
    abstract String typePrefix();

    /** Returns a complete body around the children of a description. */
    abstract String entry(String kind, String children);

    /** Returns the name of an entity as a segment of a path. */
    String escaped(String entity) {
        return entity;
    }

    final String get(String path, boolean runtime) {
        return request("GET", path + getQuery(runtime), List.of(), "");
    }

    final String list(String path, int skip) {
        return request("GET", path + listQuery(skip), List.of(), "");
    }

    final String delete(String path) {
        return request("DELETE", path + writeQuery(), List.of(), "");
    }

    final String create(String path, String kind, String children) {
        return request("PUT", path + writeQuery(), List.of(), entry(kind, typed(children)));
    }

    final String createForwarding(String path, String kind, String children, String destination) {
        return request(
                "PUT",
                path + writeQuery(),
                List.of("ServiceBusSupplementaryAuthorization: " + supplementary(destination)),
                entry(kind, typed(children)));
    }

    final String update(String path, String kind, String children) {
        return request("PUT", path + writeQuery(), List.of("If-Match: *"), entry(kind, typed(children)));
    }

    private String typed(String children) {
        String p = typePrefix();
        return TYPE.matcher(children)
                .replaceAll(found -> found.group(1) == null
                        ? " " + p + ":type=\"" + found.group(2) + "\" xmlns:" + p + "=\"" + Xml.INSTANCE + "\""
                        : " " + p + ":type=\"l28:" + found.group(2)
                                + "\" xmlns:l28=\"http://www.w3.org/2001/XMLSchema\" xmlns:" + p + "=\"" + Xml.INSTANCE
                                + "\"");
    }

    private String request(String method, String target, List<String> extra, String body) {
        List<String> headers = new ArrayList<>();
        headers.add("Host: " + authority);
        headers.add("Authorization: " + authorization(target));
        if (!body.isEmpty()) {
            headers.add("Content-Type: " + contentType());
        }
        headers.addAll(extra);
        headers.addAll(otherHeaders());
        headers.add("Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length);
        StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
        headers.forEach(header -> request.append(header).append("\r\n"));
        return request.append("\r\n").append(body).toString();
    }

    @Override
    public String toString() {
        return name;
    }
}
