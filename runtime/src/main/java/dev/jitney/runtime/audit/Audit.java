package dev.jitney.runtime.audit;

import dev.jitney.model.ClientText;
import dev.jitney.runtime.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes administrative actions to the log, at INFO. Any thread may call it.
 *
 * <p>Actions that changed something go to the logger {@value #LOGGER}, and nothing drops them: each cost its author a durable
 * change. Refused ones go to {@value #REFUSED_LOGGER}, which may be limited, because anybody can cause any number of them.
 * Keys, signatures and the contents of messages are never written. What clients chose is shortened, and the log's format makes
 * it harmless.
 */
public final class Audit {
    /** The logger of actions that were done. */
    public static final String LOGGER = "audit";

    /** The logger of actions that were refused. */
    public static final String REFUSED_LOGGER = "audit.refused";

    private static final Logger DONE = LoggerFactory.getLogger(LOGGER);
    private static final Logger REFUSED = LoggerFactory.getLogger(REFUSED_LOGGER);
    private static final int VALUE_CHARACTERS_MAX = 2_048;

    private Audit() {}

    /**
     * An action changed something durably.
     *
     * @param changed what changed, as {@link Changes} tells it; empty where the action says all
     */
    public static void done(AuditedAction action, String changed) {
        if (DONE.isInfoEnabled()) {
            write(DONE.atInfo(), action, "changed", changed).log("Done: {}", action.name());
        }
    }

    /**
     * An action was refused and changed nothing.
     *
     * @param reason for people
     */
    public static void refused(AuditedAction action, String reason) {
        if (REFUSED.isInfoEnabled()) {
            // The text is the same for all of them, so that a filter of floods counts them together.
            write(REFUSED.atInfo().addKeyValue("action", action.name()), action, "reason", reason)
                    .log("Refused an administrative action");
        }
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
