@NullMarked
package dev.jitney.server.backup;

import org.jspecify.annotations.NullMarked;
