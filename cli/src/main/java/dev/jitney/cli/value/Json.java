package dev.jitney.cli.value;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Documents of maps, lists, text, numbers, booleans and durations (as ISO 8601), one per line.
 *
 * <p>It uses Jackson's streaming API without data binding, which takes longer to load than most commands run.
 */
public final class Json {
    /** The maximum length of a line: a message of 100 MB, the largest there is, as base64, with some room for its properties. */
    public static final int LINE_CHARACTERS_MAX = 144 << 20;

    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(LINE_CHARACTERS_MAX)
                    .maxNestingDepth(100)
                    .build())
            .build();

    private Json() {}

    /** Returns the document on one line. The caller leaves absent values out; a null value is written as null. */
    public static String line(Map<String, ? extends @Nullable Object> document) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            write(json, document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(String.valueOf(entry.getKey()));
                write(json, entry.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object element : list) {
                write(json, element);
            }
            json.writeEndArray();
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Integer number) {
            json.writeNumber(number);
        } else if (value instanceof Long number) {
            json.writeNumber(number);
        } else if (value instanceof BigInteger number) {
            json.writeNumber(number);
        } else if (value instanceof BigDecimal number) {
            json.writeNumber(number);
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof Duration duration) {
            json.writeString(Durations.iso(duration));
        } else {
            json.writeString(value.toString());
        }
    }

    /**
     * Reads one object.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    public static Map<String, @Nullable Object> object(String line) {
        try (JsonParser parser = FACTORY.createParser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("Expected one JSON object on the line.");
            }
            Map<String, @Nullable Object> object = readObject(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("Expected one JSON object on the line, but more text follows it.");
            }
            return object;
        } catch (JsonParseException e) {
            throw new IllegalArgumentException("Expected JSON, but " + e.getOriginalMessage() + " (column "
                    + e.getLocation().getColumnNr() + ").");
        } catch (IOException e) {
            throw new IllegalArgumentException("Expected JSON that can be read, but " + e.getMessage() + ".");
        }
    }

    /** Returns a JSON object or array with one value on each line, or null for other text. Numbers and their order stay as they are. */
    public static @Nullable String pretty(String text) {
        String start = text.stripLeading();
        if (!start.startsWith("{") && !start.startsWith("[")) {
            return null;
        }
        StringWriter pretty = new StringWriter();
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentObjectsWith(lines);
        printer.indentArraysWith(lines);
        try (JsonParser parser = FACTORY.createParser(text);
                JsonGenerator json = FACTORY.createGenerator(pretty)) {
            json.setPrettyPrinter(printer);
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (json.getOutputContext().inRoot() && pretty.getBuffer().length() > 0) {
                    return null; // several documents
                }
                if (token.isNumeric()) {
                    json.writeNumber(parser.getText());
                } else {
                    json.copyCurrentEvent(parser);
                }
                json.flush();
            }
            return json.getOutputContext().inRoot() ? pretty.toString() : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static Map<String, @Nullable Object> readObject(JsonParser parser) throws IOException {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            object.put(name, readValue(parser));
        }
        return object;
    }

    private static @Nullable Object readValue(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> readObject(parser);
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(readValue(parser));
                }
                yield list;
            }
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? (Object) parser.getBigIntegerValue()
                        : (Object) parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
            default -> parser.getText();
        };
    }
}
