/** Tests of backups of a running server, with clients of the official SDK. */
@NullMarked
package dev.jitney.conformance.backup;

import org.jspecify.annotations.NullMarked;
