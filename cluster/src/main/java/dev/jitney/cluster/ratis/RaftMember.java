package dev.jitney.cluster.ratis;

import org.apache.ratis.protocol.RaftPeer;

/**
 * A member of the group.
 *
 * @param identity its identity, which is never used for another data directory (CL-50)
 * @param address  host and port of its Ratis server
 */
public record RaftMember(String identity, String address) {
    RaftPeer peer() {
        return RaftPeer.newBuilder().setId(identity).setAddress(address).build();
    }

    static RaftMember of(RaftPeer peer) {
        return new RaftMember(peer.getId().toString(), peer.getAddress());
    }
}
