package dev.jitney.testkit;

/**
 * The numbers of messages of an entity by state.
 *
 * @param active messages that are available, locked or deferred, as in the administration API
 * @param locked the active messages that are locked
 * @param deferred the active messages that are deferred
 */
public record MessageCounts(
        long active, long locked, long deferred, long scheduled, long deadLetters, long transferDeadLetters) {

    static MessageCounts of(JsonObject counts) {
        return new MessageCounts(
                counts.number("active"),
                counts.number("locked"),
                counts.number("deferred"),
                counts.number("scheduled"),
                counts.number("deadLetter"),
                counts.number("transferDeadLetter"));
    }

    @Override
    public String toString() {
        return active + " active (" + locked + " of them locked, " + deferred + " deferred), " + scheduled
                + " scheduled, "
                + deadLetters + " dead letters"
                + (transferDeadLetters == 0 ? "" : ", " + transferDeadLetters + " dead letters of transfers");
    }
}
