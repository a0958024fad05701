package dev.jitney.gateway.http.console;

import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.request.StrictJson;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The body of a login: {@code {"connectionString": …}}, {@code {"keyName": …, "key": …}}, or {@code {"publicKey": true}}.
 *
 * @param host the host in the connection string, or null
 * @param keyName the name of an authorization rule; empty for a login with the public key
 * @param entityPath the only entity of the connection string, or empty
 */
record LoginRequest(@Nullable String host, String keyName, String key, String entityPath, boolean publicKey) {
    private static final String CONNECTION_STRING = "connectionString";
    private static final String KEY_NAME = "keyName";
    private static final String KEY = "key";
    private static final String PUBLIC_KEY = "publicKey";
    private static final Set<String> MEMBERS = Set.of(CONNECTION_STRING, KEY_NAME, KEY, PUBLIC_KEY);

    /** @throws RefusedException with 400 if it has another form; the text never contains the key */
    static LoginRequest of(byte[] json) throws RefusedException {
        Map<String, @Nullable Object> members = StrictJson.object(json);
        for (Map.Entry<String, @Nullable Object> member : members.entrySet()) {
            boolean fits = member.getKey().equals(PUBLIC_KEY)
                    ? Boolean.TRUE.equals(member.getValue())
                    : MEMBERS.contains(member.getKey()) && member.getValue() instanceof String;
            if (!fits) {
                throw other();
            }
        }
        if (members.keySet().equals(Set.of(PUBLIC_KEY))) {
            return new LoginRequest(null, "", "", "", true);
        }
        if (members.keySet().equals(Set.of(KEY_NAME, KEY))) {
            return new LoginRequest(
                    null, String.valueOf(members.get(KEY_NAME)).strip(), String.valueOf(members.get(KEY)), "", false);
        }
        if (members.keySet().equals(Set.of(CONNECTION_STRING))) {
            return ofConnectionString(String.valueOf(members.get(CONNECTION_STRING)));
        }
        throw other();
    }

    private static LoginRequest ofConnectionString(String text) throws RefusedException {
        Map<String, String> fields = new TreeMap<>();
        for (String field : text.strip().split(";", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(
                        field.substring(0, equals).strip().toLowerCase(Locale.ROOT),
                        field.substring(equals + 1).strip());
            }
        }
        String keyName = fields.get("sharedaccesskeyname");
        String key = fields.get("sharedaccesskey");
        if (keyName == null || key == null) {
            throw new RefusedException(
                    HttpError.badRequest(
                            "Expected a connection string with SharedAccessKeyName and"
                                    + " SharedAccessKey, such as Endpoint=sb://localhost;SharedAccessKeyName=NAME;SharedAccessKey=KEY."));
        }
        String host = fields.getOrDefault("endpoint", "").replaceFirst("^[a-zA-Z]+://", "");
        return new LoginRequest(host, keyName, key, fields.getOrDefault("entitypath", ""), false);
    }

    private static RefusedException other() {
        return new RefusedException(HttpError.badRequest(
                "Expected a JSON object with connectionString, with keyName and key, or with \"publicKey\": true."));
    }

    @Override
    public String toString() {
        return "LoginRequest[" + keyName + "]"; // keys never reach a log
    }
}
