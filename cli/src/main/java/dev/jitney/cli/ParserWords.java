package dev.jitney.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Rewrites the error messages of the command-line parser as one line that names the option and the fix. Unknown messages, such
 * as those of options that parse their value themselves, stay unchanged.
 */
final class ParserWords {
    private static final Pattern TYPE =
            Pattern.compile(".*'(.*)' is not an? (int|long|double|float|boolean|short|byte)\\b.*");
    private static final Pattern ONE_OF =
            Pattern.compile(".*expected one of \\[(.*)\\] \\(case-\\w+\\) but was '(.*)'.*", Pattern.CASE_INSENSITIVE);
    private static final Pattern PAIR = Pattern.compile(".*should be in KEY=VALUE format but was (.*)");
    private static final Pattern FOUND = Pattern.compile("Expected parameter.* but found '(.*)'.*");
    private static final Pattern NUMBER = Pattern.compile("[-+]?\\d+");
    private static final String NO_SUBCOMMAND = "Missing required subcommand";
    private static final int SUGGESTIONS_MAX = 3;

    private ParserWords() {}

    /** Returns the line to print. */
    static String of(ParameterException e) {
        String own = String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
        if (e instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched) + see(e);
        } else if (e instanceof MissingParameterException missing) {
            return missing(missing, own) + see(e);
        } else if (own.startsWith(NO_SUBCOMMAND)) {
            return "Expected a command after '"
                    + e.getCommandLine().getCommandSpec().qualifiedName() + "': " + subcommands(e.getCommandLine())
                    + "." + see(e);
        } else if (e instanceof OverwrittenOptionException overwritten) {
            return name(overwritten.getOverwritten()) + ": Expected this option once, but got it more than once.";
        }
        ArgSpec argument = e.getArgSpec();
        return argument == null ? own : value(argument, own);
    }

    private static String see(ParameterException e) {
        return " See: " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help";
    }

    private static String unmatched(UnmatchedArgumentException e) {
        List<String> words = e.getUnmatched();
        List<String> options = words.stream()
                .filter(word -> word.startsWith("-")
                        && word.length() > 1
                        && !NUMBER.matcher(word).matches())
                // The value of an unknown option may be a key, so it is not repeated.
                .map(word -> word.replaceFirst("=.*", ""))
                .toList();
        CommandLine command = e.getCommandLine();
        String suggestions = suggestions(e);
        if (!options.isEmpty()) {
            return "There is no option " + quoted(options) + "." + suggestions;
        } else if (!command.getSubcommands().isEmpty()) {
            return "There is no command '" + command.getCommandSpec().qualifiedName() + " " + words.get(0) + "'."
                    + (suggestions.isEmpty() ? " Use one of " + subcommands(command) + "." : suggestions);
        }
        return "Expected no more arguments, but got " + quoted(words) + ". Put quotes around a value that contains"
                + " blanks.";
    }

    private static String suggestions(UnmatchedArgumentException e) {
        List<String> similar = e.getSuggestions();
        return similar.isEmpty()
                ? ""
                : " Did you mean " + similar.stream().limit(SUGGESTIONS_MAX).collect(Collectors.joining(" or ")) + "?";
    }

    private static String missing(MissingParameterException e, String own) {
        List<ArgSpec> missing = new ArrayList<>(e.getMissing() == null ? List.of() : e.getMissing());
        if (missing.isEmpty() && e.getArgSpec() != null) {
            missing.add(e.getArgSpec());
        }
        if (missing.isEmpty()) {
            return own.endsWith(".") ? own : own + ".";
        }
        String names = missing.stream().map(ParserWords::name).collect(Collectors.joining(" and "));
        Matcher found = FOUND.matcher(own);
        if (found.matches()) {
            return names + ": Expected a value (" + label(missing.get(0)) + "), but got '" + found.group(1) + "'.";
        } else if (missing.size() > 1) {
            return names + ": Expected values, but got none.";
        } else if (missing.get(0).isOption() && own.startsWith("Missing required option")) {
            return names + ": Expected this option, but it is missing.";
        }
        return names + ": Expected a value" + (missing.get(0).isOption() ? " (" + label(missing.get(0)) + ")" : "")
                + ", but it is missing.";
    }

    private static String value(ArgSpec argument, String own) {
        Matcher type = TYPE.matcher(own);
        if (type.matches()) {
            String text = type.group(1);
            return name(argument) + ": Expected " + kind(type.group(2), text) + ", but got '" + text + "'.";
        }
        Matcher oneOf = ONE_OF.matcher(own);
        if (oneOf.matches()) {
            return name(argument) + ": Expected one of " + oneOf.group(1) + ", but got '" + oneOf.group(2) + "'.";
        }
        Matcher pair = PAIR.matcher(own);
        if (pair.matches()) {
            return name(argument) + ": Expected " + label(argument) + ", but got '" + pair.group(1) + "'.";
        }
        return own;
    }

    private static String kind(String type, String text) {
        boolean outOfRange = NUMBER.matcher(text).matches();
        return switch (type) {
            case "boolean" -> "true or false";
            case "double", "float" -> "a number";
            case "long" -> outOfRange ? range(Long.MIN_VALUE, Long.MAX_VALUE) : "a whole number";
            default -> outOfRange ? range(Integer.MIN_VALUE, Integer.MAX_VALUE) : "a whole number";
        };
    }

    private static String range(long min, long max) {
        return "a whole number from " + min + " to " + max;
    }

    private static String subcommands(CommandLine command) {
        return String.join(", ", command.getSubcommands().keySet());
    }

    private static String quoted(List<String> words) {
        return words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(", "));
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : label(argument);
    }

    private static String label(ArgSpec argument) {
        return argument.paramLabel().replaceAll("[<>]", "").toUpperCase(Locale.ROOT);
    }
}
