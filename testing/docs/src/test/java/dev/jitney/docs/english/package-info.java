/**
 * Checks that the texts of the project are plain English: Javadoc, pages, help, log messages and refusals. The rules are in
 * {@code docs/contributing/writing.md}.
 *
 * <p>Reading order: {@link dev.jitney.docs.english.Passage} is a text and its place. {@link dev.jitney.docs.english.JavaTexts}
 * and {@link dev.jitney.docs.english.PageTexts} find passages. {@link dev.jitney.docs.english.Rule} finds faults in them.
 * {@link dev.jitney.docs.english.PlainEnglishTest} compares the number of faults with the numbers in the tree. {@link
 * dev.jitney.docs.english.PlainEnglish} prints the faults of the files that you name.
 */
@NullMarked
package dev.jitney.docs.english;

import org.jspecify.annotations.NullMarked;
