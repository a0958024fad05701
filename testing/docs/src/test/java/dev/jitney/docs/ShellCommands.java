package dev.jitney.docs;

import dev.jitney.benchmarks.JitneyBench;
import dev.jitney.cli.JitneyCommands;
import dev.jitney.fuzz.JitneyFuzz;
import dev.jitney.server.cli.JitneyCli;
import dev.jitney.simulation.cli.JitneySimulate;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The launcher commands in shell text, and a check that the programs support their options. */
final class ShellCommands {
    private static final Pattern LAUNCHER = Pattern.compile("(?:\\./|/opt/jitney/|/bin/|^)jitney(?=\\s|$)");
    private static final String ENDS = "|;&)>#<";

    private ShellCommands() {}

    /** Returns the words after each call of the launcher. Each substitution counts as one word. */
    static List<List<String>> in(String shell) {
        List<List<String>> commands = new ArrayList<>();
        for (String line : shell.replaceAll("\\\\\n\\s*", " ").lines().toList()) {
            Matcher launcher = LAUNCHER.matcher(line);
            while (launcher.find()) {
                // A comment in its own column ends the command.
                commands.add(words(line.substring(launcher.end()).replaceFirst("(?<=\\S) {3,}.*", "")));
            }
        }
        return commands;
    }

    private static List<String> words(String rest) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        int depth = 0;
        for (char c : rest.toCharArray()) {
            if (quote == 0 && depth == 0 && (ENDS.indexOf(c) >= 0)) {
                break;
            }
            if (depth == 0 && quote == 0 && Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
                continue;
            }
            inWord = true;
            if (c == '(') {
                depth++;
            } else if (c == ')' && depth > 0) {
                depth--;
            }
            if (depth == 0 && quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (depth == 0 && quote == c) {
                quote = 0;
            } else {
                word.append(c);
            }
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }

    /** Returns null if the program accepts these words, and its error otherwise. */
    static @Nullable String problem(List<String> words) {
        String command = words.isEmpty() ? "" : words.get(0);
        List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
        return switch (command) {
            case "build" -> rest.isEmpty() ? null : "Expected no arguments for build, but got " + rest;
            case "crash" ->
                String.join(" ", rest).matches("((--cluster|--(kills|splits|histories|seed) \\d+) ?)*")
                        ? null
                        : "crash: " + rest;
            case "upgrade-test" -> String.join(" ", rest).matches("--from \\S+") ? null : "upgrade-test: " + rest;
            case "release" ->
                String.join(" ", rest).matches("((--twice|--no-images|--sign \\S+|--runtime-jdk \\S+) ?)*")
                        ? null
                        : "release: " + rest;
            case "audit-dependencies" ->
                String.join(" ", rest).matches("((--data|--allow) \\S+ ?)+") ? null : "audit-dependencies: " + rest;
            case "bench" -> problem(JitneyBench.model(), rest);
            case "simulate" -> problem(JitneySimulate.model(), rest);
            case "fuzz" -> problem(JitneyFuzz.model(), rest);
            case "server", "health", "doctor" -> problem(JitneyCli.model(), words);
            default -> problem(JitneyCommands.model(), words);
        };
    }

    private static @Nullable String problem(CommandLine model, List<String> words) {
        try {
            model.parseArgs(words.toArray(new String[0]));
            return null;
        } catch (ParameterException e) {
            return words + ": " + e.getMessage();
        }
    }
}
