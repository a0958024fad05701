package dev.jitney.gateway.http.operator.privacy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.jitney.core.BodyMask;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A text as a reader may see it. JSON is written again from its tokens, so that no byte is shown that was not understood. Text that looks
 * like JSON and cannot be read is hidden as a whole.
 *
 * @param text null if the text is hidden
 * @param masked whether the text or a value in it is hidden
 */
public record MaskedText(@Nullable String text, boolean masked) {
    /** The text in place of hidden values. */
    public static final String MASK = "***";

    /** The largest text that is read. A larger one is hidden, because reading it would keep the event loop too long. */
    public static final int CHARACTERS_MAX = 128 << 10;

    /** A text that is hidden as a whole. */
    public static final MaskedText HIDDEN = new MaskedText(null, true);

    /** Names are not kept, because they come from clients. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    /** An open object or array. */
    private static final class Frame {
        private final BodyMask.Place place;
        private final boolean isArray;
        private String name = "";
        private int index = -1;

        Frame(BodyMask.Place place, boolean isArray) {
            this.place = place;
            this.isArray = isArray;
        }

        BodyMask.Place next() {
            if (isArray) {
                index++;
                return place.element(index);
            }
            return place.member(name);
        }
    }

    /**
     * Returns a text without the hidden values.
     *
     * @param isJson whether its sender says that it is JSON
     */
    public static MaskedText of(BodyMask mask, String text, boolean isJson) {
        if (text.length() > CHARACTERS_MAX) {
            return HIDDEN;
        }
        StringWriter shown = new StringWriter(text.length());
        boolean[] hidden = new boolean[1];
        try (JsonParser in = JSON.createParser(withoutMark(text));
                JsonGenerator out = JSON.createGenerator(shown)) {
            copy(mask, in, out, value -> hidden[0] = true);
        } catch (IOException notJson) {
            return isJson || mayHaveJson(text) ? HIDDEN : new MaskedText(text, false);
        }
        return hidden[0] ? new MaskedText(valid(shown.toString()), true) : new MaskedText(text, false);
    }

    /** Returns whether a text is JSON that has the mask in place of a hidden value. */
    static boolean hasMask(BodyMask mask, String text) {
        boolean[] found = new boolean[1];
        try (JsonParser in = JSON.createParser(withoutMark(text));
                JsonGenerator out = JSON.createGenerator(new StringWriter())) {
            copy(mask, in, out, value -> found[0] |= MASK.equals(value));
        } catch (IOException notJson) {
            return false; // it cannot come from a masked body, which is valid JSON
        }
        return found[0];
    }

    /** A receiver of the hidden values: the text of a string, or null for a value of another type. */
    @FunctionalInterface
    private interface HiddenValues {
        void accept(@Nullable String value);
    }

    private static void copy(BodyMask mask, JsonParser in, JsonGenerator out, HiddenValues hidden) throws IOException {
        Deque<Frame> open = new ArrayDeque<>();
        for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
            if (token == JsonToken.FIELD_NAME) {
                open.element().name = in.currentName();
                out.writeFieldName(in.currentName());
                continue;
            }
            if (token.isStructEnd()) {
                open.remove();
                out.copyCurrentEvent(in);
                continue;
            }
            BodyMask.Place place =
                    open.isEmpty() ? mask.document() : open.element().next();
            if (place.isHidden()) {
                hidden.accept(token == JsonToken.VALUE_STRING ? in.getText() : null);
                in.skipChildren();
                out.writeString(MASK);
            } else if (token.isStructStart()) {
                open.push(new Frame(place, token == JsonToken.START_ARRAY));
                out.copyCurrentEvent(in);
            } else if (token.isNumeric()) {
                out.writeNumber(in.getText()); // with all its digits
            } else {
                out.copyCurrentEvent(in);
            }
        }
    }

    private static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** Returns whether a text that is not valid JSON could have values that the mask means. */
    private static boolean mayHaveJson(String text) {
        String start = withoutMark(text).stripLeading();
        return text.indexOf('{') >= 0 || text.indexOf('\0') >= 0 || start.startsWith("[") || start.startsWith("\"");
    }

    /** Replaces halves of surrogate pairs, which escapes in JSON can make and UTF-8 cannot express. */
    private static String valid(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
