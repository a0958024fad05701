package dev.jitney.crash.kill;

import java.util.function.IntPredicate;

/**
 * What a subscription of the crash test takes and what it holds.
 *
 * @param path where its messages are received
 * @param plain whether it gets a message as it was sent, by the message's number
 * @param changed whether it gets a copy that an action changed
 */
record Subscribed(String path, IntPredicate plain, IntPredicate changed, Ledger ledger) {

    String deadLetters() {
        return path + "/$DeadLetterQueue";
    }
}
