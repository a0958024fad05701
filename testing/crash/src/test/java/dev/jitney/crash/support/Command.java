package dev.jitney.crash.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A runner for commands of the operating system. */
final class Command {
    private Command() {}

    /** Runs a command and returns a description of its failure, or an empty string. */
    static String run(List<String> command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "the command did not end within 30 s";
            }
            return process.exitValue() == 0 ? "" : "exit status " + process.exitValue() + " " + output;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
