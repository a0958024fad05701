package dev.jitney.cli.support;

import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Interruption;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** A runner of commands in this process, with separate streams and environment. */
public final class Run {
    private final BiFunction<Console, String[], Integer> program;
    private final Map<String, String> environment = new HashMap<>();
    private final Interruption interruption = new Interruption();
    private String input = "";
    private boolean questions;

    /** @param program the command line, whose constructor is package-private */
    public Run(BiFunction<Console, String[], Integer> program) {
        this.program = program;
    }

    public Run with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Sets the text of standard input. */
    public Run input(String text) {
        input = text;
        return this;
    }

    /** Simulates a terminal at which a user answers questions. */
    public Run questions() {
        questions = true;
        return this;
    }

    /** Returns the flag that Ctrl-C would set. */
    public Interruption interruption() {
        return interruption;
    }

    /** The exit status and output of a command. */
    public record Result(int status, String out, String err) {
        public List<String> lines() {
            return out.lines().toList();
        }

        public List<String> errors() {
            return err.lines().toList();
        }

        /** Returns the lines on standard error without those of progress, which appear only when the machine is slow. */
        public List<String> notes() {
            return err.lines().filter(line -> !line.endsWith("/s")).toList();
        }
    }

    public Result run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = new Console(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                environment,
                false,
                false,
                questions,
                Clock.systemUTC(),
                interruption);
        int status = program.apply(console, arguments);
        console.out().flush();
        return new Result(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Receives the available messages, with a timeout for slow machines. */
    public Result receive(String entity, String... options) {
        List<String> arguments = new ArrayList<>(List.of("receive", entity, "--wait", "60s"));
        arguments.addAll(List.of(options));
        return ok(arguments.toArray(String[]::new));
    }

    /** Runs a command, which must succeed. */
    public Result ok(String... arguments) {
        Result result = run(arguments);
        if (result.status() != 0) {
            throw new AssertionError(
                    "Expected " + Arrays.toString(arguments) + " to succeed, but it ended with " + result);
        }
        return result;
    }
}
