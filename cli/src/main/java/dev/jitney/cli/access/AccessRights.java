package dev.jitney.cli.access;

import dev.jitney.cli.output.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The names of rights, as users type them and as the operator API has them. */
final class AccessRights {
    private static final List<String> ALL = List.of("Listen", "Send", "Manage");

    private AccessRights() {}

    /**
     * Returns the rights of the option {@code --rights}, each once. Their names match in any case.
     *
     * @throws Failure for an unknown name, or no name
     */
    static List<String> parse(List<String> typed) {
        List<String> rights = new ArrayList<>();
        for (String text : typed) {
            String right = ALL.stream()
                    .filter(known -> known.equalsIgnoreCase(text.strip()))
                    .findFirst()
                    .orElseThrow(() -> Failure.badOption(
                            "--rights: Expected some of Listen, Send and Manage with commas between them, but got '"
                                    + text + "'."));
            if (!rights.contains(right)) {
                rights.add(right);
            }
        }
        if (rights.isEmpty()) {
            throw Failure.badOption("--rights: Expected at least one of Listen, Send and Manage, but got none.");
        }
        return rights;
    }

    /** Returns the name of a rule for one right only: {@code web-send}. */
    static String ruleFor(String name, String right) {
        return name + "-" + right.toLowerCase(Locale.ROOT);
    }
}
