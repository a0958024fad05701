package dev.jitney.runtime.shard.entity;

import java.util.List;

/** A topic as seen by the shard that hosts it: a {@link HostedEntity} with subscriptions in the same shard. */
public interface HostedTopic {

    /** Returns its subscriptions, committed or not. */
    List<? extends HostedEntity> allSubscriptions();
}
