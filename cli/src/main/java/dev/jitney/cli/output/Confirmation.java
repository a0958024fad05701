package dev.jitney.cli.output;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Option;

/** The confirmation before a permanent deletion, and the option that skips it. */
public final class Confirmation {
    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask for confirmation.")
    private boolean yes;

    /**
     * Fails if the option is missing and no terminal is there to ask at. Call it before anything is sent.
     *
     * @param what the action to confirm: {@code delete queue 'orders'}
     */
    public void check(Console console, String what) {
        if (!yes && !console.questions()) {
            throw Failure.badOption("Expected --yes to " + what + ", because there is no terminal to confirm it at.");
        }
    }

    /** Returns whether the option was given. Then there is no question, and its counts need no lookup. */
    public boolean given() {
        return yes;
    }

    /** Requests confirmation unless the option was given. Any answer other than yes means no, and a note says so. */
    public boolean ask(Console console, String question) {
        return ask(console, question, "Nothing was deleted.");
    }

    /** @param refused the note for the answer no */
    public boolean ask(Console console, String question, String refused) {
        if (yes) {
            return true;
        }
        console.err().print(Table.harmless(question) + " [y/N] ");
        console.err().flush();
        try {
            BufferedReader answers = new BufferedReader(new InputStreamReader(console.in(), StandardCharsets.UTF_8));
            String answer = answers.readLine();
            if (answer != null && answer.strip().matches("(?i)y|yes")) {
                return true;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        console.note(refused);
        return false;
    }
}
