package dev.jitney.core;

/**
 * Names one fragment of one entity; an ordinary entity has fragment 0 only.
 *
 * @param entityId unique over the server and never reused
 * @param fragment 0 to 65,535
 */
public record FragmentId(long entityId, int fragment) {}
