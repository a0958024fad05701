package dev.jitney.core;

/**
 * The location of the content of a copy if several subscriptions of a topic share it. The content is stored once with the
 * topic and deleted with its last copy.
 *
 * @param topic the fragment of the topic that stores the content
 * @param number the message's number in the topic
 * @param copies the initial number of copies, at least 2
 * @param sizeBytes size of the content
 */
public record SharedBody(FragmentId topic, long number, int copies, int sizeBytes) {}
