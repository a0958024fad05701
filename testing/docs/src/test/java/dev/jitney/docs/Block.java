package dev.jitney.docs;

import org.jspecify.annotations.Nullable;

/**
 * A fenced block of a page.
 *
 * @param page the path of the page, relative to the top of the tree, with slashes
 * @param line the line of the opening fence, counted from 1
 * @param language the language after the fence; empty for none
 * @param text the lines of the block, without the indentation of the fence, each with its line feed
 * @param notRun the reason why the block is not run, from a comment {@code <!-- not run: WHY -->} in the line before;
 *     otherwise null
 */
record Block(
        String page,
        int line,
        String language,
        String text,
        @Nullable String notRun) {

    /** Returns page and line for messages. */
    String where() {
        return page + ":" + line;
    }
}
