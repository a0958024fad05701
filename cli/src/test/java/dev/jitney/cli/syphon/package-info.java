/** Tests of the syphon command, against two servers in this process. */
@NullMarked
package dev.jitney.cli.syphon;

import org.jspecify.annotations.NullMarked;
