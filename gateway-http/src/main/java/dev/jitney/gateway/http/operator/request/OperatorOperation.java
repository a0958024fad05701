package dev.jitney.gateway.http.operator.request;

import dev.jitney.runtime.security.OperatorRole;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.stream.Stream;

/** The operations of the API. This table is the source of the routes, of the checks of parameters, and of the description of the API. */
public enum OperatorOperation {
    DESCRIPTION("/openapi.json", "Returns the description of this API.", List.of()),
    OVERVIEW(
            "/overview",
            "Returns the sums of the namespace, the stores, and the entities that need attention: their dead letters have grown within"
                    + " five minutes, they have messages and no receiver, their oldest message is old, or they forward in a loop.",
            List.of(OperatorParameter.number(
                    "olderThan", 1, 31_536_000, 3_600, "The age in seconds from which on a message is old."))),
    EVENTS(
            "/overview/events",
            "Streams server-sent events: every two seconds the sums of the namespace, and the entities that have"
                    + " changed. It ends when the token expires.",
            List.of()),
    ENTITIES(
            "/entities",
            "Lists queues, topics and subscriptions with their counts and rates, page by page.",
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
                                    "deferred",
                                    "scheduled",
                                    "deadLetter",
                                    "transferDeadLetter",
                                    "size",
                                    "oldest",
                                    "incoming",
                                    "outgoing",
                                    "incomingPerSecond",
                                    "outgoingPerSecond",
                                    "receivers"),
                            "The order: by path, or the largest value first, and then by path."),
                    OperatorParameter.text("after", 2_048, "The value of 'next' in the page before."),
                    OperatorParameter.number("max", 1, 500, 100, "The maximum of entities on the page."))),
    ENTITY("/entities/{entity}", "Returns one entity with its counts and rates.", List.of()),
    HISTORY(
            "/entities/{entity}/history",
            "Returns the counts of an entity over time, and the messages into and out of it in each interval.",
            List.of(OperatorParameter.oneOf(
                    "step",
                    "1m",
                    List.of("1m", "10s"),
                    "The intervals: the minutes of the last hour, or 10 seconds of the last five minutes."))),
    CLIENTS(
            "/entities/{entity}/clients",
            "Lists the AMQP clients that are connected to an entity, with their links. It needs the right to Manage.",
            List.of(
                    OperatorParameter.number("after", 0, Long.MAX_VALUE, 0, "The value of 'next' in the page before."),
                    OperatorParameter.number("max", 1, 100, 50, "The maximum of clients on the page."))),
    MESSAGES(
            "/entities/{entity}/messages",
            "Searches for messages, without locking or changing them. It returns after two seconds at most, and says"
                    + " where to continue.",
            scanParameters(
                    OperatorParameter.text(
                            "group", 16, "Only messages of this group: the id in the list of groups of the queue."),
                    OperatorParameter.number("max", 1, 250, 50, "The maximum of messages on the page."),
                    OperatorParameter.number(
                            "body", 0, 4_096, 256, "The number of bytes of each body that are shown."))),
    GROUPS(
            "/entities/{entity}/groups",
            "Counts messages in groups of the same dead-letter reason, pattern of the description, and subject. It"
                    + " returns after two seconds at most, and says where to continue.",
            scanParameters()),
    NOTE(
            HttpMethod.PUT,
            "/entities/{entity}/groups/{group}/note",
            "Writes a note on a group of dead letters, which the list of groups shows, and replaces the note before. It needs the right"
                    + " to Send. A namespace has at most 200 notes.",
            List.of(),
            List.of(OperatorParameter.requiredText("text", 1_000, "The note, such as BUG-123, on hold."))),
    DELETE_NOTE(
            HttpMethod.DELETE,
            "/entities/{entity}/groups/{group}/note",
            "Deletes the note on a group of dead letters. It needs the right to Send.",
            List.of(),
            List.of()),
    MESSAGE("/entities/{entity}/messages/{sequenceNumber}", "Returns one message as a whole.", List.of()),
    AUDIT(
            "/audit",
            "Lists administrative actions, the newest first. It returns after two seconds at most, and says where to"
                    + " continue.",
            List.of(
                    OperatorParameter.number("max", 1, 250, 50, "The maximum of entries on the page."),
                    OperatorParameter.number("before", 1, Long.MAX_VALUE, "The value of 'next' in the page before."),
                    OperatorParameter.text(
                            "entity", 260, "Only actions on this path and those below it, such as its sub-queues."),
                    OperatorParameter.text(
                            "action", 64, "Only actions whose name contains this text, compared without case."),
                    OperatorParameter.text("key", 256, "Only actions of clients with this key, by its name."),
                    OperatorParameter.list(
                            "result",
                            "done,refused,leftOut",
                            List.of("done", "refused", "leftOut"),
                            "Only these results. An entry with leftOut counts entries that are missing."),
                    OperatorParameter.time("since", "The earliest time, in ISO 8601."),
                    OperatorParameter.time("until", "The time before which the actions happened, in ISO 8601."))),
    DELETE("delete", "Deletes messages in any state except locked."),
    DEAD_LETTER(
            "deadLetter",
            "Moves active and deferred messages to the dead-letter queue.",
            OperatorParameter.text("reason", 4_096, "The DeadLetterReason."),
            OperatorParameter.text("description", 4_096, "The DeadLetterErrorDescription.")),
    RESUBMIT(
            "resubmit",
            "Sends dead letters again, and removes them in the same commit. They carry x-jitney-resubmitted, the"
                    + " number of resubmissions, and x-jitney-resubmitted-from.",
            resubmissionTarget(),
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
            "Sends a changed message, and removes the original in the same commit. The body has the members that"
                    + " change, as this API shows them; null clears one, or removes an application property.",
            List.of(
                    OperatorParameter.text(
                            "to", 260, "The path of a queue or topic. The default is the entity of the message."),
                    OperatorParameter.oneOf("keepOriginal", "false", List.of("false", "true"), "Keeps the original.")),
            List.of()),
    NEW_JOB(
            HttpMethod.POST,
            "/entities/{entity}/jobs",
            "Orders a job: an operation on all messages of some states that a filter takes. It counts them first, and"
                    + " changes only messages that it has counted. It also takes the members of the operation, such as 'to'.",
            List.of(),
            List.of(
                    OperatorParameter.requiredOneOf(
                            "operation",
                            List.of(
                                    "delete",
                                    "deadLetter",
                                    "resubmit",
                                    "move",
                                    "copy",
                                    "deliverNow",
                                    "reschedule",
                                    "unlock"),
                            "The operation."),
                    OperatorParameter.text(
                            "state",
                            40,
                            "Only messages in these states, with commas between them. The default is active; scheduled"
                                    + " for deliverNow and reschedule, and locked for unlock."),
                    OperatorParameter.text(
                            "filter", 1_024, "Only messages for which this SQL filter is true, as in a search."),
                    OperatorParameter.text(
                            "group", 16, "Only messages of this group: the id in the list of groups of the queue."),
                    OperatorParameter.flag("dryRun", "Only counts the messages. Resume the job to change them."),
                    OperatorParameter.number(
                            "messagesPerSecond",
                            0,
                            1_000_000,
                            0,
                            "The maximum of changes in a second; 0 for no limit."),
                    OperatorParameter.number(
                            "canaryMessages",
                            0,
                            50,
                            0,
                            "For resubmit: the number of messages after which the job waits. It continues only if none"
                                    + " of them has come back dead."),
                    OperatorParameter.number("canarySeconds", 1, 3_600, 30, "The time that it waits, in seconds."),
                    OperatorParameter.text("note", 200, "A note for people, which the job shows."),
                    OperatorParameter.text("reason", 4_096, "For deadLetter."),
                    OperatorParameter.text("description", 4_096, "For deadLetter."),
                    OperatorParameter.text("target", 10, "For resubmit."),
                    OperatorParameter.text("to", 260, "For move and copy."),
                    OperatorParameter.text("scheduledEnqueueTime", 40, "For reschedule."),
                    OperatorParameter.flag("newMessageId", "For resubmit, move and copy."))),
    BACKUPS(
            "/backups",
            "Lists the backups in the directory of the server, the oldest first. It needs the right to Manage the first namespace.",
            List.of()),
    NEW_BACKUP(
            HttpMethod.POST,
            "/backups",
            "Makes a backup of the whole server into its directory, and answers when the moment of the backup has passed: everything that"
                    + " was acknowledged before the request is in it, and nothing that was sent after the answer. Files are copied"
                    + " afterwards. It needs the right to Manage the first namespace.",
            List.of(),
            List.of(
                    OperatorParameter.number(
                            "megabytesPerSecond",
                            0,
                            1_000_000,
                            0,
                            "The maximum of megabytes that are copied in a second; 0 for no limit."),
                    OperatorParameter.number(
                            "keep",
                            0,
                            10_000,
                            0,
                            "The number of backups that stay after this one, the newest; 0 for all."))),
    BACKUP(
            "/backups/{run}",
            "Returns the state and the progress of a backup that was ordered since the start of the server, by the number 'run' of the"
                    + " answer. It needs the right to Manage the first namespace.",
            List.of()),
    JOBS("/jobs", "Lists the jobs of the namespace, the newest first. The server keeps 100 of them.", List.of()),
    JOB("/jobs/{job}", "Returns one job with its progress and its result.", List.of()),
    PAUSE_JOB(HttpMethod.POST, "/jobs/{job}/pause", "Pauses a job.", List.of(), List.of()),
    RESUME_JOB(
            HttpMethod.POST,
            "/jobs/{job}/resume",
            "Resumes a job that is paused, or starts it after its dry run.",
            List.of(),
            List.of()),
    CANCEL_JOB(
            HttpMethod.POST,
            "/jobs/{job}/cancel",
            "Cancels a job. Messages that it has changed stay changed.",
            List.of(),
            List.of()),
    SESSIONS(
            "/entities/{entity}/sessions",
            "Lists the sessions that have messages or a state, in the order of their ids. It returns after two seconds"
                    + " at most, and says where to continue.",
            List.of(
                    OperatorParameter.text("contains", 128, "Only sessions whose ids contain this text."),
                    OperatorParameter.text("after", 128, "The value of 'next' in the page before, or a session id."),
                    OperatorParameter.number("max", 1, 250, 50, "The maximum of sessions on the page."))),
    SESSION("/entities/{entity}/sessions/{session}", "Returns one session.", List.of()),
    SESSION_STATE("/entities/{entity}/sessions/{session}/state", "Returns the state of a session.", List.of()),
    CLEAR_STATE(
            HttpMethod.DELETE,
            "/entities/{entity}/sessions/{session}/state",
            "Removes the state of a session.",
            List.of(OperatorParameter.oneOf(
                    "unlock",
                    "false",
                    List.of("false", "true"),
                    "Ends the lock of the session in the same commit. Otherwise a locked session is refused.")),
            List.of()),
    UNLOCK_SESSION(
            HttpMethod.POST,
            "/entities/{entity}/sessions/{session}/unlock",
            "Ends the lock of a session as if its time had passed. Its receiver loses the session, and the messages"
                    + " that it has not settled count as failed deliveries.",
            List.of(),
            List.of()),
    RESUBMIT_SESSION(
            HttpMethod.POST,
            "/entities/{entity}/sessions/{session}/resubmit",
            "Sends the dead letters of one session again, one after the other in their order. It stops at the first"
                    + " one that is refused. It returns after two seconds, and says where to continue.",
            List.of(
                    resubmissionTarget(),
                    OperatorParameter.oneOf(
                            "newMessageId",
                            "false",
                            List.of("false", "true"),
                            "Gives the messages new values of MessageId, so that duplicate detection does not drop"
                                    + " them."),
                    OperatorParameter.text("after", 64, "The value of 'next' in the answer before."),
                    OperatorParameter.number("max", 1, 250, 100, "The maximum of messages to resubmit.")),
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
            "Creates or changes a rule. The body has 'filter', the text of an SQL filter or an object with the"
                    + " properties of a correlation filter, and 'action', the text of an SQL action or nothing.",
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
            "Explains where a message that is sent to a queue or topic now would go, and changes nothing. The body has"
                    + " the members of a message, as this API shows them, or 'sequenceNumber' and 'from', which choose an"
                    + " existing message; then the other members change it.",
            List.of(
                    OperatorParameter.text("after", 512, "The value of 'next' in the answer before."),
                    OperatorParameter.number("max", 1, 500, 100, "The maximum of subscriptions in the answer.")),
            List.of()),
    SEND(
            HttpMethod.POST,
            "/entities/{entity}/messages",
            "Sends messages in one commit: all of them, or none. The body has 'messages', an array of objects with the"
                    + " members of a message, as this API shows them, and 'count', the number of copies of each. At most"
                    + " 250 messages are sent, copies included. It needs the right to Send.",
            List.of(),
            List.of()),
    NAMESPACE(
            "/namespace",
            "Returns the version of the program, and the name, the tier, the limits and the times of the namespace.",
            List.of()),
    SETTINGS_OF_KINDS(
            "/settings", "Describes the settings of each kind of entity: type, meaning, default and range.", List.of()),
    SETTINGS("/entities/{entity}/settings", "Returns all settings of an entity, and a description of each.", List.of()),
    NEW_ENTITY(
            HttpMethod.PUT,
            "/entities/{entity}",
            "Creates an entity. The body has 'kind' (queue, topic or subscription), and the settings that do not have"
                    + " their defaults. A subscription may also have 'rule', its first rule: 'rule' is its name, and the"
                    + " other members are those of a rule; null creates none. It needs the right to Manage.",
            List.of(),
            List.of()),
    CHANGE_SETTINGS(
            HttpMethod.PATCH,
            "/entities/{entity}/settings",
            "Changes settings of an entity. The body has the settings that change; null sets the default. It needs the"
                    + " right to Manage.",
            List.of(),
            List.of()),
    DELETE_ENTITY(
            HttpMethod.DELETE,
            "/entities/{entity}",
            "Deletes an entity with its messages, a topic also with its subscriptions. The answer counts them. It"
                    + " needs the right to Manage.",
            List.of(OperatorParameter.oneOf(
                    "dryRun", "false", List.of("false", "true"), "Counts them, and deletes nothing.")),
            List.of()),
    NAMESPACE_ACCESS_RULES("/accessRules", accessRulesOf("the namespace"), List.of()),
    NAMESPACE_ACCESS_KEYS(HttpMethod.POST, "/accessRules/{accessRule}/keys", accessKeys(), List.of(), List.of()),
    PUT_NAMESPACE_ACCESS_RULE(HttpMethod.PUT, "/accessRules/{accessRule}", putAccessRule(), List.of(), List.of()),
    RENEW_NAMESPACE_ACCESS_KEY(
            HttpMethod.POST, "/accessRules/{accessRule}/renew", renewAccessKey(), List.of(keyToRenew()), List.of()),
    SWAP_NAMESPACE_ACCESS_KEYS(
            HttpMethod.POST, "/accessRules/{accessRule}/swap", swapAccessKeys(), List.of(), List.of()),
    DELETE_NAMESPACE_ACCESS_RULE(
            HttpMethod.DELETE, "/accessRules/{accessRule}", deleteAccessRule(), List.of(), List.of()),
    ACCESS_RULES("/entities/{entity}/accessRules", accessRulesOf("a queue or topic"), List.of()),
    ACCESS_KEYS(
            HttpMethod.POST, "/entities/{entity}/accessRules/{accessRule}/keys", accessKeys(), List.of(), List.of()),
    PUT_ACCESS_RULE(
            HttpMethod.PUT, "/entities/{entity}/accessRules/{accessRule}", putAccessRule(), List.of(), List.of()),
    RENEW_ACCESS_KEY(
            HttpMethod.POST,
            "/entities/{entity}/accessRules/{accessRule}/renew",
            renewAccessKey(),
            List.of(keyToRenew()),
            List.of()),
    SWAP_ACCESS_KEYS(
            HttpMethod.POST,
            "/entities/{entity}/accessRules/{accessRule}/swap",
            swapAccessKeys(),
            List.of(),
            List.of()),
    DELETE_ACCESS_RULE(
            HttpMethod.DELETE, "/entities/{entity}/accessRules/{accessRule}", deleteAccessRule(), List.of(), List.of());

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

    /**
     * Returns the role that a user of the identity provider needs, on each entity that the operation concerns. Rights of Send, Listen and
     * Manage permit what they permit to an access rule. There is no default, so a new operation does not compile without a role.
     */
    public OperatorRole role() {
        return switch (this) {
            case DESCRIPTION,
                    OVERVIEW,
                    EVENTS,
                    ENTITIES,
                    ENTITY,
                    HISTORY,
                    MESSAGES, // without content
                    MESSAGE, // without content
                    SESSIONS,
                    SESSION,
                    RULES,
                    NAMESPACE,
                    SETTINGS_OF_KINDS,
                    SETTINGS -> OperatorRole.VIEWER;
            case GROUPS, SESSION_STATE, EXPLAIN -> OperatorRole.READER;
            case CLIENTS,
                    NOTE,
                    DELETE_NOTE,
                    DELETE,
                    DEAD_LETTER,
                    RESUBMIT,
                    MOVE,
                    COPY,
                    DELIVER_NOW,
                    RESCHEDULE,
                    UNLOCK,
                    EDIT,
                    SEND,
                    NEW_JOB,
                    JOBS,
                    JOB,
                    PAUSE_JOB,
                    RESUME_JOB,
                    CANCEL_JOB,
                    CLEAR_STATE,
                    UNLOCK_SESSION,
                    RESUBMIT_SESSION -> OperatorRole.OPERATOR;
            case AUDIT,
                    BACKUPS,
                    NEW_BACKUP,
                    BACKUP,
                    PUT_RULE,
                    DELETE_RULE,
                    NEW_ENTITY,
                    CHANGE_SETTINGS,
                    DELETE_ENTITY,
                    NAMESPACE_ACCESS_RULES,
                    NAMESPACE_ACCESS_KEYS,
                    PUT_NAMESPACE_ACCESS_RULE,
                    RENEW_NAMESPACE_ACCESS_KEY,
                    SWAP_NAMESPACE_ACCESS_KEYS,
                    DELETE_NAMESPACE_ACCESS_RULE,
                    ACCESS_RULES,
                    ACCESS_KEYS,
                    PUT_ACCESS_RULE,
                    RENEW_ACCESS_KEY,
                    SWAP_ACCESS_KEYS,
                    DELETE_ACCESS_RULE -> OperatorRole.ADMIN;
        };
    }

    private static String accessRulesOf(String owner) {
        return "Lists the access rules of " + owner + " with their rights, without keys. It needs the right to Manage.";
    }

    private static String accessKeys() {
        return "Returns the keys of an access rule, and a connection string for each, with the host and port of this"
                + " request. It needs the right to Manage, and is in the audit trail.";
    }

    private static String putAccessRule() {
        return "Creates an access rule with new keys, or changes its rights. The body has 'rights', an array of"
                + " Listen, Send and Manage; Manage includes the others. It needs the right to Manage.";
    }

    private static String renewAccessKey() {
        return "Replaces one key of an access rule by a new one. Clients with the old key are refused from now on. It"
                + " needs the right to Manage.";
    }

    private static String swapAccessKeys() {
        return "Exchanges the keys of an access rule: the secondary key becomes the primary one. Both stay valid. It"
                + " needs the right to Manage.";
    }

    private static String deleteAccessRule() {
        return "Deletes an access rule. Clients with its keys are refused from now on. It needs the right to Manage.";
    }

    private static OperatorParameter keyToRenew() {
        return OperatorParameter.oneOf("key", "secondary", List.of("primary", "secondary"), "The key to replace.");
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
                                        "Only messages for which this SQL filter is true, in the language of rules. It"
                                                + " may also test the body: body CONTAINS 'text', and json('$.order.id') ="
                                                + " 7."),
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

    private static OperatorParameter resubmissionTarget() {
        return OperatorParameter.oneOf(
                "target",
                "entity",
                List.of("entity", "source"),
                "The entity of the dead-letter queue, so a subscription gets its own messages back; or the entity that"
                        + " dead-lettered the message if it was forwarded, and the topic of a subscription.");
    }

    private static OperatorParameter newMessageId() {
        return OperatorParameter.flag(
                "newMessageId",
                "Gives the messages new values of MessageId, so that duplicate detection does not drop them.");
    }

    /**
     * Returns an operation on chosen messages by its word in the path.
     *
     * @param word one of the words that a job permits
     */
    public static OperatorOperation onMessages(String word) {
        String path = DELETE.path.replace("delete", word);
        return Stream.of(values())
                .filter(operation -> operation.path.equals(path))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("Expected an operation on messages, but got " + word + "."));
    }

    /** Returns the word of an operation on chosen messages. */
    public String word() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    HttpMethod method() {
        return method;
    }

    /** Returns whether a request has a JSON object in its body. */
    boolean hasBody() {
        return switch (this) {
            case EDIT,
                    PUT_RULE,
                    EXPLAIN,
                    SEND,
                    NEW_ENTITY,
                    CHANGE_SETTINGS,
                    PUT_ACCESS_RULE,
                    PUT_NAMESPACE_ACCESS_RULE -> true;
            default -> !members.isEmpty();
        };
    }

    /** Returns the members of the JSON object in the body; empty if it has no body, or if the body has a form of its own. */
    public List<OperatorParameter> members() {
        return members;
    }

    /** Returns the path below the version, with variables in braces. */
    String path() {
        return path;
    }

    /** Returns whether the answer is a stream of server-sent events and not a JSON document. */
    boolean isStream() {
        return this == EVENTS;
    }

    String summary() {
        return summary;
    }

    List<OperatorParameter> parameters() {
        return parameters;
    }
}
