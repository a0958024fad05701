package dev.jitney.gateway.http.operator.request;

import dev.jitney.gateway.http.operator.request.OperatorParameter.Kind;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The description of the API in OpenAPI 3.1, made from the table of {@link OperatorOperation}. */
public final class OpenApiDocument {
    private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");
    private static final Map<String, String> VARIABLES = Map.of(
            "entity",
            "A queue, a topic, or topic/Subscriptions/name. Add /$DeadLetterQueue or /$Transfer/$DeadLetterQueue for its sub-queues."
                    + " Write %2F for each slash.",
            "sequenceNumber",
            "The sequence number of the message.",
            "session",
            "The id of the session. Write %2F for each slash.",
            "rule",
            "The name of the rule.",
            "accessRule",
            "The name of the access rule.");

    private OpenApiDocument() {}

    /** @param version the version of the program */
    public static JsonObject of(String version) {
        JsonObject paths = new JsonObject();
        for (OperatorOperation operation : OperatorOperation.values()) {
            JsonObject path = paths.getJsonObject(operation.path(), new JsonObject());
            path.put(operation.method().name().toLowerCase(Locale.ROOT), operation(operation));
            paths.put(operation.path(), path);
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
                                                + " signature: Listen reads, Listen and Send resubmit, copy and edit, Manage does all."
                                                + " A token of an identity provider needs these rights too, or the role that"
                                                + " x-jitney-role names, or a higher one: viewer, reader, operator, admin."))
                .put("servers", new JsonArray().add(new JsonObject().put("url", OperatorRequest.PREFIX)))
                .put(
                        "security",
                        new JsonArray()
                                .add(new JsonObject().put("sharedAccessSignature", new JsonArray()))
                                .add(new JsonObject().put("identityProvider", new JsonArray())))
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
                                                                .put("name", "Authorization"))
                                                .put(
                                                        "identityProvider",
                                                        new JsonObject()
                                                                .put("type", "http")
                                                                .put("scheme", "bearer")
                                                                .put("bearerFormat", "JWT")))
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
                                .put(
                                        "content",
                                        operation.isStream()
                                                ? events()
                                                : json(new JsonObject().put("type", "object"))));
        for (String status : List.of("400", "401", "403", "404", "503")) {
            responses.put(
                    status,
                    new JsonObject()
                            .put("description", "The request was refused.")
                            .put("content", json(new JsonObject().put("$ref", "#/components/schemas/Error"))));
        }
        JsonObject document = new JsonObject()
                .put("operationId", operation.name().toLowerCase(Locale.ROOT))
                .put("summary", operation.summary())
                .put("x-jitney-role", operation.role().word())
                .put("parameters", parameters)
                .put("responses", responses);
        return operation.hasBody() ? document.put("requestBody", body(operation)) : document;
    }

    private static JsonObject body(OperatorOperation operation) {
        JsonObject schema = new JsonObject().put("type", "object");
        JsonObject properties = new JsonObject();
        JsonArray required = new JsonArray();
        for (OperatorParameter member : operation.members()) {
            String fallback = member.fallback();
            properties.put(
                    member.name(),
                    schema(member)
                            .put(
                                    "description",
                                    member.description()
                                            + (fallback == null ? "" : " The default is " + fallback + ".")));
            if (member.required()) {
                required.add(member.name());
            }
        }
        if (!properties.isEmpty()) {
            schema.put("properties", properties).put("additionalProperties", false);
        }
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        return new JsonObject().put("required", true).put("content", json(schema));
    }

    private static JsonObject json(JsonObject schema) {
        return new JsonObject().put("application/json", new JsonObject().put("schema", schema));
    }

    private static JsonObject events() {
        return new JsonObject()
                .put("text/event-stream", new JsonObject().put("schema", new JsonObject().put("type", "string")));
    }

    private static JsonObject schema(OperatorParameter parameter) {
        JsonObject schema = new JsonObject();
        return switch (parameter.kind()) {
            case NUMBER ->
                schema.put("type", "integer")
                        .put("format", "int64")
                        .put("minimum", parameter.min())
                        .put("maximum", parameter.max());
            case LIST ->
                schema.put("type", "array")
                        .put(
                                "items",
                                new JsonObject().put("type", "string").put("enum", new JsonArray(parameter.values())));
            case SEQUENCE_NUMBERS ->
                schema.put("type", "array")
                        .put("minItems", parameter.min())
                        .put("maxItems", parameter.max())
                        .put("items", new JsonObject().put("type", "string"));
            case BOOLEAN -> schema.put("type", "boolean");
            case TIME -> schema.put("type", "string").put("format", "date-time");
            case TEXT -> {
                schema.put("type", "string");
                if (!parameter.values().isEmpty()) {
                    schema.put("enum", new JsonArray(parameter.values()));
                } else {
                    schema.put("minLength", parameter.min()).put("maxLength", parameter.max());
                }
                yield schema;
            }
        };
    }

    private static JsonObject parameter(OperatorParameter parameter) {
        JsonObject schema = schema(parameter);
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

    /** The fields of a request that are wrong, all of them at once. */
    private static JsonObject fields() {
        return new JsonObject()
                .put("type", "array")
                .put(
                        "items",
                        new JsonObject()
                                .put("type", "object")
                                .put(
                                        "properties",
                                        new JsonObject()
                                                .put("field", new JsonObject().put("type", "string"))
                                                .put("message", new JsonObject().put("type", "string"))));
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
                                                                .put("fields", fields())
                                                                .put(
                                                                        "trackingId",
                                                                        new JsonObject().put("type", "string")))));
    }
}
