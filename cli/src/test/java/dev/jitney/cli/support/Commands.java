package dev.jitney.cli.support;

import dev.jitney.cli.JitneyCommandsAccess;

/** The complete command line, ready to run. */
public final class Commands {
    private Commands() {}

    /** Returns a command line that connects to a server. */
    public static Run on(LocalServer server) {
        return anywhere()
                .with("JITNEY_CONNECTION_STRING", server.connectionString())
                .with("JITNEY_ADMIN_URL", server.adminUrl());
    }

    /** Returns a command line with an empty environment. */
    public static Run anywhere() {
        return new Run(JitneyCommandsAccess::execute);
    }
}
