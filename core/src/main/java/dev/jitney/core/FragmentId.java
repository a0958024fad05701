package dev.jitney.core;

/**
 * The id of one fragment of one entity; an entity that is not partitioned has only fragment 0.
 *
 * @param entityId unique on the server and never reused
 * @param fragment 0 to 65,535
 */
public record FragmentId(long entityId, int fragment) {}
