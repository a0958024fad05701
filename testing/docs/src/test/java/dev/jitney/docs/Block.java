package dev.jitney.docs;

import org.jspecify.annotations.Nullable;

/**
 * A fenced block of a page.
 *
 * @param page the page, relative to the top of the tree, with slashes
 * @param line the line of the opening fence, counted from 1
 * @param language what stands behind the fence; empty for none
 * @param text the lines inside, without the indentation of the fence, each with its line feed
 * @param notRun why the block is not run, from a comment {@code <!-- not run: WHY -->} in the line before; else null
 */
record Block(
        String page,
        int line,
        String language,
        String text,
        @Nullable String notRun) {

    /** Page and line, as messages name it. */
    String where() {
        return page + ":" + line;
    }
}
