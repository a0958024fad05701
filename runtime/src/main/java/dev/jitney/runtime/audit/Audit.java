package dev.jitney.runtime.audit;

import dev.jitney.model.ClientText;
import dev.jitney.runtime.AuditTrail;
import dev.jitney.runtime.AuditTrail.Result;
import dev.jitney.runtime.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes administrative actions to the log at INFO, and to the audit trail of their namespace. Any thread may call it.
 *
 * <p>Actions that changed something go to the logger {@value #LOGGER}, which is never limited: each of these actions
 * cost its author a durable change. Refused actions go to {@value #REFUSED_LOGGER}, which may be rate-limited,
 * because any client can cause any number of them. So do reads with {@value #READ_LOGGER}, and logins and logouts with
 * {@value #SESSION_LOGGER}. Keys, signatures and message contents are never written. Text that
 * clients chose is shortened, and the log format escapes it.
 */
public final class Audit {
    /** The logger of completed actions. */
    public static final String LOGGER = "audit";

    /** The logger of refused actions. */
    public static final String REFUSED_LOGGER = "audit.refused";

    /** The logger of reads. */
    public static final String READ_LOGGER = "audit.read";

    /** The logger of the beginning and the end of sessions. */
    public static final String SESSION_LOGGER = "audit.session";

    private static final Logger DONE = LoggerFactory.getLogger(LOGGER);
    private static final Logger REFUSED = LoggerFactory.getLogger(REFUSED_LOGGER);
    private static final Logger READ = LoggerFactory.getLogger(READ_LOGGER);
    private static final Logger SESSION = LoggerFactory.getLogger(SESSION_LOGGER);
    private static final int VALUE_CHARACTERS_MAX = 2_048;

    private Audit() {}

    /**
     * Logs an action that changed something durably. The change was committed before. So a crash can lose the entry in the trail, and
     * never the change.
     *
     * @param changed the difference, as formatted by {@link Changes}; empty if the name of the action is sufficient
     */
    public static void done(AuditedAction action, String changed) {
        if (DONE.isInfoEnabled()) {
            write(DONE.atInfo(), action, "changed", changed).log("Done: {}", action.name());
        }
        append(Result.DONE, action, changed);
    }

    /**
     * Logs an action that was refused and changed nothing.
     *
     * @param reason a text for people
     */
    public static void refused(AuditedAction action, String reason) {
        if (REFUSED.isInfoEnabled()) {
            // The text is the same for all refused actions, so that the rate limit counts them together.
            write(REFUSED.atInfo().addKeyValue("action", action.name()), action, "reason", reason)
                    .log("Refused an administrative action");
        }
        append(Result.REFUSED, action, reason);
    }

    /**
     * Logs an action that has read messages. There may be many of them, so the log and the trail may leave some out.
     *
     * @param details the messages and their selection, without their contents
     */
    public static void read(AuditedAction action, String details) {
        if (READ.isInfoEnabled()) {
            write(READ.atInfo(), action, "read", details).log("Read: {}", action.name());
        }
        action.trail().appendRead(entry(action), shorten(details));
    }

    /** Logs the beginning or the end of a session. There may be many of them, so the log and the trail may leave some out. */
    public static void session(AuditedAction action) {
        if (SESSION.isInfoEnabled()) {
            write(SESSION.atInfo(), action, "changed", "").log("Done: {}", action.name());
        }
        action.trail().appendSession(entry(action));
    }

    private static void append(Result result, AuditedAction action, String details) {
        action.trail().append(result, entry(action), shorten(details));
    }

    private static AuditTrail.Action entry(AuditedAction action) {
        return new AuditTrail.Action(
                action.name(),
                shorten(action.key()),
                action.client(),
                action.namespace(),
                shorten(action.entity()),
                shorten(action.rule()));
    }

    private static LoggingEventBuilder write(
            LoggingEventBuilder line, AuditedAction action, String what, String words) {
        return line.addKeyValue("key", shorten(action.key()))
                .addKeyValue("client", action.client())
                .addKeyValue(LogKeys.NAMESPACE, action.namespace())
                .addKeyValue(LogKeys.ENTITY, shorten(action.entity()))
                .addKeyValue("rule", shorten(action.rule()))
                .addKeyValue(what, shorten(words));
    }

    private static String shorten(String text) {
        return text.length() <= VALUE_CHARACTERS_MAX ? text : ClientText.cut(text, VALUE_CHARACTERS_MAX) + "…";
    }
}
