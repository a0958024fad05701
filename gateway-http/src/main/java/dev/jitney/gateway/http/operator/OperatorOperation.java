package dev.jitney.gateway.http.operator;

import java.util.List;

/** The operations of the API. This table is the source of the routes, of the checks of parameters, and of the description of the API. */
enum OperatorOperation {
    DESCRIPTION("/openapi.json", "Returns the description of this API.", List.of()),
    ENTITIES(
            "/entities",
            "Lists queues, topics and subscriptions with their counts, page by page.",
            List.of(
                    OperatorParameter.text(
                            "contains", 260, "Only entities whose path contains this text, compared without case."),
                    OperatorParameter.list(
                            "kind",
                            "queue,topic,subscription",
                            List.of("queue", "topic", "subscription"),
                            "Only these kinds of entities."),
                    OperatorParameter.oneOf(
                            "sort",
                            "path",
                            List.of(
                                    "path",
                                    "active",
                                    "deadLetter",
                                    "scheduled",
                                    "size",
                                    "oldest",
                                    "incoming",
                                    "outgoing"),
                            "The order: by path, or the largest value first, and then by path."),
                    OperatorParameter.text("after", 2_048, "The value of 'next' in the page before."),
                    OperatorParameter.number("max", 1, 500, 100, "The maximum of entities on the page."))),
    ENTITY("/entities/{entity}", "Returns one entity with its counts.", List.of()),
    MESSAGES(
            "/entities/{entity}/messages",
            "Searches for messages, without locking or changing them. It returns after two seconds at most, and says where to continue.",
            List.of(
                    OperatorParameter.list(
                            "state",
                            "active,locked,deferred,scheduled",
                            List.of("active", "locked", "deferred", "scheduled"),
                            "Only messages in these states."),
                    OperatorParameter.text(
                            "filter",
                            1_024,
                            "Only messages for which this SQL filter is true, in the language of rules. It may also test"
                                    + " the body: body CONTAINS 'text', and json('$.order.id') = 7."),
                    OperatorParameter.number("from", 0, Long.MAX_VALUE, 0, "The smallest sequence number."),
                    OperatorParameter.number("max", 1, 250, 50, "The maximum of messages on the page."),
                    OperatorParameter.number(
                            "scan", 1, 1_000_000, 100_000, "The number of messages after which the search pauses."),
                    OperatorParameter.number(
                            "body", 0, 4_096, 256, "The number of bytes of each body that are shown."))),
    MESSAGE("/entities/{entity}/messages/{sequenceNumber}", "Returns one message as a whole.", List.of());

    private final String path;
    private final String summary;
    private final List<OperatorParameter> parameters;

    OperatorOperation(String path, String summary, List<OperatorParameter> parameters) {
        this.path = path;
        this.summary = summary;
        this.parameters = parameters;
    }

    /** Returns the path below the version, with variables in braces. */
    String path() {
        return path;
    }

    String summary() {
        return summary;
    }

    List<OperatorParameter> parameters() {
        return parameters;
    }
}
