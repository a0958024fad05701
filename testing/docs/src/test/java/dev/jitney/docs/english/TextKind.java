package dev.jitney.docs.english;

/** The kinds of texts, which the ratchet counts apart. */
enum TextKind {
    /** Descriptions of commands and options. */
    HELP,

    /** Log messages. */
    LOG,

    /** All other sentences in strings of main code: refusals, output of commands, texts of HTTP responses. */
    MESSAGE,

    /** README, guides, reference pages and the index of the documentation. */
    USER_PAGE,

    /** All other pages: changes, architecture, decisions, contributing. */
    PROJECT_PAGE,

    /** Javadoc comments, of tests too. */
    JAVADOC,

    /** All other comments, of tests too. */
    COMMENT,

    /** Display names of tests. */
    TEST_NAME
}
