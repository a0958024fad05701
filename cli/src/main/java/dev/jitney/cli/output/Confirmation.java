package dev.jitney.cli.output;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Option;

/** The question before something is deleted for good, and the option that answers it beforehand. */
public final class Confirmation {
    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask.")
    private boolean yes;

    /**
     * Refuses where nobody has said yes and nobody can be asked; to be called before anything is sent.
     *
     * @param what what the question would be about: {@code delete queue 'orders'}
     */
    public void check(Console console, String what) {
        if (!yes && !console.questions()) {
            throw Failure.badOption("Expected --yes, since nobody can be asked here whether to " + what + ".");
        }
    }

    /** Whether the option was given. Then there is no question, and no need to look up what it would say. */
    public boolean given() {
        return yes;
    }

    /** Asks, unless the option was given; without a clear yes the answer is no, and that is said. */
    public boolean ask(Console console, String question) {
        return ask(console, question, "Nothing was deleted.");
    }

    /** @param refused is said if the answer is no */
    public boolean ask(Console console, String question, String refused) {
        if (yes) {
            return true;
        }
        console.err().print(question + " [y/N] ");
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
