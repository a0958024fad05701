package dev.jitney.runtime.shard.entity;

import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.topic.FanOut;
import dev.jitney.model.IncomingMessage;
import java.util.List;

/** A listener to everything that a shard applies, for the history of a broker under test. On the shard's thread, before the commit. */
public interface RecordListener {

    /** Called for each record of an entity, before it is applied. */
    void applying(EntityInShard inShard, Record record);

    /**
     * Called when an entity has accepted messages, or dropped them as duplicates.
     *
     * @param messages as sent
     * @param sent the numbers of the messages
     * @param copies the copies of a topic
     */
    void accepted(EntityInShard inShard, List<IncomingMessage> messages, Reply.Sent sent, List<FanOut.Copy> copies);

    /** Called when due scheduled messages of a topic were published. */
    void published(TopicInShard topic, FanOut publication);
}
