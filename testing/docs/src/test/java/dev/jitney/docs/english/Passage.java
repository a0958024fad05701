package dev.jitney.docs.english;

/**
 * A text and its place.
 *
 * @param file relative to the top of the tree, with slashes
 * @param line of the first character, from 1
 * @param kind decides which rules apply
 * @param text without markup, with one space between words
 */
record Passage(String file, int line, TextKind kind, String text) {}
