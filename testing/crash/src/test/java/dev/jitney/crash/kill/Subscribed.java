package dev.jitney.crash.kill;

import java.util.function.IntPredicate;

/**
 * A subscription of the crash test with the messages it selects.
 *
 * @param path the path for receivers
 * @param plain returns whether it gets an unchanged message, by the message's number
 * @param changed returns whether it gets a copy that an action has changed
 */
record Subscribed(String path, IntPredicate plain, IntPredicate changed, Ledger ledger) {

    String deadLetters() {
        return path + "/$DeadLetterQueue";
    }
}
