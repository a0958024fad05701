package dev.jitney.cli.operator;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.message.EntityAddress;
import dev.jitney.cli.message.MessageCommand;
import dev.jitney.cli.output.Confirmation;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import dev.jitney.cli.output.Table;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code jitney session show|state|clear|unlock}, and the base of all commands on one session. */
final class SessionCommands {
    private SessionCommands() {}

    /** A command on one session. */
    abstract static class OneSession extends MessageCommand {
        @Parameters(index = "1", paramLabel = "SESSION", description = "Session id.")
        private String session = "";

        OneSession(Console console) {
            super(console);
        }

        @Override
        protected void check(EntityAddress address) {
            if (session.isEmpty()) {
                throw Failure.badOption("SESSION: Expected a session id, but got an empty text.");
            }
        }

        final String session() {
            return session;
        }

        /** Prints the result of a change: a document, or a sentence on standard error. */
        final void done(OutputFormat format, String participle) {
            if (format == OutputFormat.JSON) {
                Map<String, Object> result = new LinkedHashMap<>();
                result.put("sessionId", session);
                result.put("done", true);
                Report.single(console().out(), format, result);
            }
            console().note("Session '" + session + "' " + participle + ".");
        }
    }

    @Command(
            name = "show",
            description = "Shows one session: its messages, the size of its state, and its lock.",
            footer = {"  jitney session show trips trip-7"})
    static final class Show extends OneSession {
        Show(Console console) {
            super(console);
        }

        @Override
        protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
            Report.single(console().out(), format, new OperatorApi(clients, address).session(session()));
        }
    }

    @Command(
            name = "state",
            description = "Prints the state of a session, without locking the session.",
            footer = {
                "  jitney session state trips trip-7",
                "  jitney session state trips trip-7 --output json | jq -r .base64 | base64 -d > state",
                "",
                "A state that is not UTF-8 is printed in base64."
            })
    static final class State extends OneSession {
        State(Console console) {
            super(console);
        }

        @Override
        protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
            Map<String, @Nullable Object> state = new OperatorApi(clients, address).sessionState(session());
            if (format == OutputFormat.JSON) {
                Report.single(console().out(), format, state);
            } else if (state.get("base64") == null) {
                console().note("Session '" + session() + "' has no state.");
            } else if (state.get("text") instanceof String text) {
                text.lines().forEach(line -> console().out().println(Table.harmless(line)));
                console().out().flush();
            } else {
                console().out().println(state.get("base64"));
                console().out().flush();
                console().note("The state is not UTF-8, so it is printed in base64.");
            }
        }
    }

    @Command(
            name = "clear",
            description = "Removes the state of a session.",
            footer = {
                "  jitney session clear trips trip-7",
                "  jitney session clear trips trip-7 --unlock --yes",
                "",
                "A receiver may be using the state of a locked session, so it is refused. With",
                "--unlock its lock ends in the same commit, and the next receiver starts without",
                "a state."
            })
    static final class Clear extends OneSession {
        @Option(names = "--unlock", description = "End the lock of the session. Its receiver loses the session.")
        private boolean unlocks;

        @Mixin
        private Confirmation confirmation = new Confirmation();

        Clear(Console console) {
            super(console);
        }

        @Override
        protected void check(EntityAddress address) {
            super.check(address);
            confirmation.check(console(), "clear the state of session '" + session() + "'");
        }

        @Override
        protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
            String question = "Clear the state of session '" + session() + "' of '" + address + "' in "
                    + clients.namespace() + "?";
            if (confirmation.ask(console(), question, "Nothing was changed.")) {
                new OperatorApi(clients, address).clearSessionState(session(), unlocks);
                done(format, "has no state now");
            }
        }
    }

    @Command(
            name = "unlock",
            description = "Ends the lock of a session. Its receiver loses the session.",
            footer = {
                "  jitney session unlock trips trip-7",
                "",
                "This is the same as the end of the lock by time: messages that the receiver has",
                "not settled count as failed deliveries."
            })
    static final class Unlock extends OneSession {
        Unlock(Console console) {
            super(console);
        }

        @Override
        protected void run(NamespaceClients clients, EntityAddress address, OutputFormat format) {
            new OperatorApi(clients, address).unlockSession(session());
            done(format, "is unlocked");
        }
    }
}
