package dev.jitney.gateway.http.operator.request;

import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.stream.Stream;

/** The operations of the API. This table is the source of the routes, of the checks of parameters, and of the description of the API. */
public enum OperatorOperation {
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
            scanParameters(
                    OperatorParameter.number("max", 1, 250, 50, "The maximum of messages on the page."),
                    OperatorParameter.number(
                            "body", 0, 4_096, 256, "The number of bytes of each body that are shown."))),
    GROUPS(
            "/entities/{entity}/groups",
            "Counts messages in groups of the same dead-letter reason, pattern of the description, and subject. It returns after two"
                    + " seconds at most, and says where to continue.",
            scanParameters()),
    MESSAGE("/entities/{entity}/messages/{sequenceNumber}", "Returns one message as a whole.", List.of()),
    DELETE("delete", "Deletes messages in any state except locked."),
    DEAD_LETTER(
            "deadLetter",
            "Moves active and deferred messages to the dead-letter queue.",
            OperatorParameter.text("reason", 4_096, "The DeadLetterReason."),
            OperatorParameter.text("description", 4_096, "The DeadLetterErrorDescription.")),
    RESUBMIT(
            "resubmit",
            "Sends dead letters again, and removes them in the same commit. They carry x-jitney-resubmitted, the number of"
                    + " resubmissions, and x-jitney-resubmitted-from.",
            OperatorParameter.oneOf(
                    "target",
                    "entity",
                    List.of("entity", "source"),
                    "The entity of the dead-letter queue, so a subscription gets its own messages back; or the entity that"
                            + " dead-lettered the message if it was forwarded, and the topic of a subscription."),
            newMessageId()),
    MOVE(
            "move",
            "Sends messages to another entity, and removes them in the same commit.",
            OperatorParameter.requiredText("to", 260, "The path of a queue or topic."),
            newMessageId()),
    COPY(
            "copy",
            "Sends copies of messages, in any state, to an entity.",
            OperatorParameter.requiredText("to", 260, "The path of a queue or topic."),
            newMessageId()),
    DELIVER_NOW("deliverNow", "Delivers scheduled messages now. They get new sequence numbers."),
    RESCHEDULE(
            "reschedule",
            "Gives scheduled messages another time. They get new sequence numbers.",
            OperatorParameter.time("scheduledEnqueueTime", "The new time, in ISO 8601.")),
    UNLOCK("unlock", "Ends the locks of messages without counting a delivery. Their receivers lose the locks."),
    EDIT(
            HttpMethod.POST,
            "/entities/{entity}/messages/{sequenceNumber}/edit",
            "Sends a changed message, and removes the original in the same commit. The body has the members that change, as this"
                    + " API shows them; null clears one, or removes an application property.",
            List.of(
                    OperatorParameter.text(
                            "to", 260, "The path of a queue or topic. The default is the entity of the message."),
                    OperatorParameter.oneOf("keepOriginal", "false", List.of("false", "true"), "Keeps the original.")),
            List.of()),
    RULES(
            "/entities/{entity}/rules",
            "Lists the rules of a subscription, ordered by name.",
            List.of(
                    OperatorParameter.text("after", 260, "The value of 'next' in the page before."),
                    OperatorParameter.number("max", 1, 500, 100, "The maximum of rules on the page."))),
    PUT_RULE(
            HttpMethod.PUT,
            "/entities/{entity}/rules/{rule}",
            "Creates or changes a rule. The body has 'filter', the text of an SQL filter or an object with the properties of a"
                    + " correlation filter, and 'action', the text of an SQL action or nothing.",
            List.of(),
            List.of()),
    DELETE_RULE(
            HttpMethod.DELETE,
            "/entities/{entity}/rules/{rule}",
            "Deletes a rule. A subscription without rules gets no messages.",
            List.of(),
            List.of()),
    EXPLAIN(
            HttpMethod.POST,
            "/entities/{entity}/explain",
            "Explains where a message that is sent to a queue or topic now would go, and changes nothing. The body has the members of a"
                    + " message, as this API shows them, or 'sequenceNumber' and 'from', which choose an existing message; then the other"
                    + " members change it.",
            List.of(
                    OperatorParameter.text("after", 512, "The value of 'next' in the answer before."),
                    OperatorParameter.number("max", 1, 500, 100, "The maximum of subscriptions in the answer.")),
            List.of());

    /** The maximum of messages in one request that changes them. */
    static final int CHOSEN_MAX = 250;

    private final HttpMethod method;
    private final String path;
    private final String summary;
    private final List<OperatorParameter> parameters;
    private final List<OperatorParameter> members;

    OperatorOperation(String path, String summary, List<OperatorParameter> parameters) {
        this(HttpMethod.GET, path, summary, parameters, List.of());
    }

    /** An operation on chosen messages. */
    OperatorOperation(String act, String summary, OperatorParameter... members) {
        this(
                HttpMethod.POST,
                "/entities/{entity}/messages/" + act,
                summary,
                List.of(),
                Stream.concat(Stream.of(OperatorParameter.sequenceNumbers(CHOSEN_MAX)), Stream.of(members))
                        .toList());
    }

    OperatorOperation(
            HttpMethod method,
            String path,
            String summary,
            List<OperatorParameter> parameters,
            List<OperatorParameter> members) {
        this.method = method;
        this.path = path;
        this.summary = summary;
        this.parameters = parameters;
        this.members = members;
    }

    /** Returns the parameters of a walk over messages. */
    private static List<OperatorParameter> scanParameters(OperatorParameter... more) {
        return Stream.concat(
                        Stream.of(
                                OperatorParameter.list(
                                        "state",
                                        "active,locked,deferred,scheduled",
                                        List.of("active", "locked", "deferred", "scheduled"),
                                        "Only messages in these states."),
                                OperatorParameter.text(
                                        "filter",
                                        1_024,
                                        "Only messages for which this SQL filter is true, in the language of rules. It may also"
                                                + " test the body: body CONTAINS 'text', and json('$.order.id') = 7."),
                                OperatorParameter.number("from", 0, Long.MAX_VALUE, 0, "The smallest sequence number."),
                                OperatorParameter.number(
                                        "scan",
                                        1,
                                        1_000_000,
                                        100_000,
                                        "The number of messages after which the search pauses.")),
                        Stream.of(more))
                .toList();
    }

    private static OperatorParameter newMessageId() {
        return OperatorParameter.flag(
                "newMessageId",
                "Gives the messages new values of MessageId, so that duplicate detection does not drop them.");
    }

    HttpMethod method() {
        return method;
    }

    /** Returns the members of the JSON object in the body; empty if it has no body, or if the body is an edit. */
    public List<OperatorParameter> members() {
        return members;
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
