/** The administration API against a real broker: one test per number of the conformance checklist (HTTP reference 9). */
@NullMarked
package dev.jitney.gateway.http.admin;

import org.jspecify.annotations.NullMarked;
