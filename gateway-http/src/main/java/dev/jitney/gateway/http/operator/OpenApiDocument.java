package dev.jitney.gateway.http.operator;

import dev.jitney.gateway.http.operator.OperatorParameter.Kind;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The description of the API in OpenAPI 3.1, made from the table of {@link OperatorOperation}. */
final class OpenApiDocument {
    private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");
    private static final Map<String, String> VARIABLES = Map.of(
            "entity",
            "A queue, a topic, or topic/Subscriptions/name. Add /$DeadLetterQueue or /$Transfer/$DeadLetterQueue for its sub-queues."
                    + " Write %2F for each slash.",
            "sequenceNumber",
            "The sequence number of the message.");

    private OpenApiDocument() {}

    /** @param version the version of the program */
    static JsonObject of(String version) {
        JsonObject paths = new JsonObject();
        for (OperatorOperation operation : OperatorOperation.values()) {
            paths.put(operation.path(), new JsonObject().put("get", operation(operation)));
        }
        return new JsonObject()
                .put("openapi", "3.1.0")
                .put(
                        "info",
                        new JsonObject()
                                .put("title", "Jitney operator API")
                                .put("version", version)
                                .put(
                                        "description",
                                        "Pages for operators of a namespace and for their programs. Requests need a shared access"
                                                + " signature with the right to Listen."))
                .put("servers", new JsonArray().add(new JsonObject().put("url", OperatorHandler.PREFIX)))
                .put("security", new JsonArray().add(new JsonObject().put("sharedAccessSignature", new JsonArray())))
                .put("paths", paths)
                .put(
                        "components",
                        new JsonObject()
                                .put(
                                        "securitySchemes",
                                        new JsonObject()
                                                .put(
                                                        "sharedAccessSignature",
                                                        new JsonObject()
                                                                .put("type", "apiKey")
                                                                .put("in", "header")
                                                                .put("name", "Authorization")))
                                .put("schemas", new JsonObject().put("Error", error())));
    }

    private static JsonObject operation(OperatorOperation operation) {
        JsonArray parameters = new JsonArray();
        Matcher variables = VARIABLE.matcher(operation.path());
        while (variables.find()) {
            String name = variables.group(1);
            parameters.add(new JsonObject()
                    .put("name", name)
                    .put("in", "path")
                    .put("required", true)
                    .put("description", VARIABLES.get(name))
                    .put("schema", new JsonObject().put("type", "string")));
        }
        operation.parameters().forEach(parameter -> parameters.add(parameter(parameter)));
        JsonObject responses = new JsonObject()
                .put(
                        "200",
                        new JsonObject()
                                .put("description", operation.summary())
                                .put("content", json(new JsonObject().put("type", "object"))));
        for (String status : List.of("400", "401", "404", "503")) {
            responses.put(
                    status,
                    new JsonObject()
                            .put("description", "The request was refused.")
                            .put("content", json(new JsonObject().put("$ref", "#/components/schemas/Error"))));
        }
        return new JsonObject()
                .put("operationId", operation.name().toLowerCase(java.util.Locale.ROOT))
                .put("summary", operation.summary())
                .put("parameters", parameters)
                .put("responses", responses);
    }

    private static JsonObject json(JsonObject schema) {
        return new JsonObject().put("application/json", new JsonObject().put("schema", schema));
    }

    private static JsonObject parameter(OperatorParameter parameter) {
        JsonObject schema = new JsonObject();
        if (parameter.kind() == Kind.NUMBER) {
            schema.put("type", "integer")
                    .put("format", "int64")
                    .put("minimum", parameter.min())
                    .put("maximum", parameter.max());
        } else if (parameter.kind() == Kind.LIST) {
            schema.put("type", "array")
                    .put(
                            "items",
                            new JsonObject().put("type", "string").put("enum", new JsonArray(parameter.values())));
        } else if (parameter.values().isEmpty()) {
            schema.put("type", "string").put("maxLength", parameter.max());
        } else {
            schema.put("type", "string").put("enum", new JsonArray(parameter.values()));
        }
        String fallback = parameter.fallback();
        JsonObject document = new JsonObject()
                .put("name", parameter.name())
                .put("in", "query")
                .put(
                        "description",
                        parameter.description() + (fallback == null ? "" : " The default is " + fallback + "."))
                .put("schema", schema);
        return parameter.kind() == Kind.LIST ? document.put("style", "form").put("explode", false) : document;
    }

    private static JsonObject error() {
        return new JsonObject()
                .put("type", "object")
                .put("required", new JsonArray().add("error"))
                .put(
                        "properties",
                        new JsonObject()
                                .put(
                                        "error",
                                        new JsonObject()
                                                .put("type", "object")
                                                .put(
                                                        "properties",
                                                        new JsonObject()
                                                                .put("status", new JsonObject().put("type", "integer"))
                                                                .put("message", new JsonObject().put("type", "string"))
                                                                .put(
                                                                        "trackingId",
                                                                        new JsonObject().put("type", "string")))));
    }
}
