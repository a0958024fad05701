package dev.jitney.runtime.shard.entity;

import java.util.List;

/** A topic as the shard sees it that hosts it: a {@link HostedEntity} with subscriptions in the same shard. */
public interface HostedTopic {

    /** Its subscriptions, committed or not. */
    List<? extends HostedEntity> allSubscriptions();
}
