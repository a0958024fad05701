/**
 * What a server is told to serve: {@link dev.jitney.server.config.ServerConfig} and the reader of the configuration
 * file, {@link dev.jitney.server.config.ConfigReader}.
 *
 * <p>The file is the {@code Config.json} of the Microsoft emulator (HTTP reference 4.1) with a few members of our own.
 * The package depends on the model and Jackson, and on nothing that runs.
 */
@NullMarked
package dev.jitney.server.config;

import org.jspecify.annotations.NullMarked;
