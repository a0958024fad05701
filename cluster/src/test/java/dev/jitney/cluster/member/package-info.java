@NullMarked
package dev.jitney.cluster.member;

import org.jspecify.annotations.NullMarked;
