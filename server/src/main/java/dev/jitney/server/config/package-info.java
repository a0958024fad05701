/**
 * The configuration of a server: {@link dev.jitney.server.config.ServerConfig} and the reader of the configuration
 * file, {@link dev.jitney.server.config.ConfigReader}.
 *
 * <p>The file is the {@code Config.json} of the Microsoft emulator (HTTP reference 4.1) with a few additional members.
 * The package depends on the model and Jackson, and on no running components.
 */
@NullMarked
package dev.jitney.server.config;

import org.jspecify.annotations.NullMarked;
