package dev.jitney.gateway.http.operator.request;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.ClientText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the JSON object in the body of a request, as maps, lists, texts, numbers and booleans. Numbers are exact. It refuses
 * members that occur twice, content after the object, and documents that are too deep or have too many parts. Any thread may call it.
 */
public final class StrictJson {
    /** Enough for a value of AMQP with the maximum nesting, whose maps have three levels of JSON each. */
    private static final int DEPTH_MAX = 200;

    /** A token takes far more memory than its bytes. */
    private static final long TOKENS_MAX = 700_000;

    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // the names come from clients
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH_MAX)
                    .maxTokenCount(TOKENS_MAX)
                    .maxStringLength(Integer.MAX_VALUE) // the limit of the body applies
                    .build())
            .build();

    private StrictJson() {}

    /**
     * Reads an object.
     *
     * @param json the body of the request, whose size the caller has limited
     * @throws RefusedException with 400 if it is anything else
     */
    public static Map<String, @Nullable Object> object(byte[] json) throws RefusedException {
        try (JsonParser in = JSON.createParser(json)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw bad("Expected a JSON object in the body of the request.");
            }
            Map<String, @Nullable Object> object = object(in);
            if (in.nextToken() != null) {
                throw bad("Expected one JSON object in the body of the request, but more content follows it.");
            }
            return object;
        } catch (JsonProcessingException malformed) {
            String line = malformed.getOriginalMessage();
            throw bad("Expected a JSON object in the body of the request, but: "
                    + ClientText.abbreviate(line == null ? "it is malformed" : line));
        } catch (NumberFormatException tooLong) {
            throw bad("Expected numbers with short exponents in the body of the request, but one is out of range.");
        } catch (IOException unreadable) {
            throw bad("Expected a JSON object in the body of the request, but it is not UTF-8.");
        }
    }

    private static Map<String, @Nullable Object> object(JsonParser in) throws IOException, RefusedException {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            if (object.containsKey(name)) {
                throw bad("Expected each member once, but the body of the request has "
                        + ClientText.abbreviate(
                                in.getParsingContext().pathAsPointer().toString()) + " twice.");
            }
            in.nextToken();
            object.put(name, value(in));
        }
        return object;
    }

    private static @Nullable Object value(JsonParser in) throws IOException, RefusedException {
        return switch (in.currentToken()) {
            case START_OBJECT -> object(in);
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(in));
                }
                yield list;
            }
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT -> in.getNumberValue();
            case VALUE_NUMBER_FLOAT -> fraction(in);
            default -> in.getText();
        };
    }

    private static Object fraction(JsonParser in) throws IOException {
        if (in.getDecimalValue().signum() == 0 && in.getText().startsWith("-")) {
            return -0.0; // a BigDecimal has no negative zero
        }
        return in.getDecimalValue();
    }

    private static RefusedException bad(String sentence) {
        return new RefusedException(HttpError.badRequest(sentence));
    }
}
