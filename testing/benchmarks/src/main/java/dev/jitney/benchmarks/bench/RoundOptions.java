package dev.jitney.benchmarks.bench;

import picocli.CommandLine.Option;

/** The options of commands that compare several kinds of runs in turns. */
final class RoundOptions {
    private static final int SIZE_MIN = 16;
    private static final int SIZE_MAX = 200 << 10;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Size of each message body in bytes, 16 to 204800 (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Number of runs of each kind (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--json", description = "Print one line of JSON after the text.")
    private boolean json;

    int size() {
        return size;
    }

    int rounds() {
        return rounds;
    }

    void check(Terminal terminal) {
        terminal.check("--size", size, SIZE_MIN, SIZE_MAX);
        terminal.check("--rounds", rounds, 1);
    }

    /** Prints the result: the text, and the line for programs if {@code --json} is set. */
    void report(Terminal terminal, String text, String line) {
        terminal.out().print(text);
        if (json) {
            terminal.out().println(line);
        }
    }
}
