package dev.jitney.core;

/**
 * Where the content of a copy is when several subscriptions of a topic share it: stored once with the topic, deleted with
 * its last copy.
 *
 * @param topic the fragment of the topic that keeps it
 * @param number the message's number in the topic
 * @param copies how many copies there were at first, at least 2
 * @param sizeBytes size of the content
 */
public record SharedBody(FragmentId topic, long number, int copies, int sizeBytes) {}
