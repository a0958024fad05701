package dev.jitney.cli.support;

import dev.jitney.cli.JitneyCommandsAccess;

/** The whole command line, ready to run. */
public final class Commands {
    private Commands() {}

    /** Against a server. */
    public static Run on(LocalServer server) {
        return anywhere()
                .with("JITNEY_CONNECTION_STRING", server.connectionString())
                .with("JITNEY_ADMIN_URL", server.adminUrl());
    }

    /** With an empty environment. */
    public static Run anywhere() {
        return new Run(JitneyCommandsAccess::execute);
    }
}
