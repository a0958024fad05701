package dev.jitney.cluster.ratis;

import org.apache.ratis.protocol.RaftPeer;

/**
 * A member of the group.
 *
 * @param identity its identity, which is never used for another data directory (CL-50)
 * @param address  host and port of its Ratis server
 * @param nodePort its node port on the same host, or 0 if it is unknown, because a release before 0.4 has added it
 */
public record RaftMember(String identity, String address, int nodePort) {
    /** Makes a member with an unknown node port. */
    public RaftMember(String identity, String address) {
        this(identity, address, 0);
    }

    /** Returns the host, as in the address: an IPv6 address has brackets. */
    public String host() {
        return address.substring(0, address.lastIndexOf(':'));
    }

    /** Returns the port of its Ratis server. */
    public int raftPort() {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** The log has the node port as the address for administrators, which Ratis uses for nothing. */
    RaftPeer peer() {
        RaftPeer.Builder peer = RaftPeer.newBuilder().setId(identity).setAddress(address);
        return (nodePort == 0 ? peer : peer.setAdminAddress(host() + ":" + nodePort)).build();
    }

    static RaftMember of(RaftPeer peer) {
        String admin = peer.getAdminAddress();
        int colon = admin == null ? -1 : admin.lastIndexOf(':');
        String port = colon < 0 ? "" : admin.substring(colon + 1);
        return new RaftMember(
                peer.getId().toString(), peer.getAddress(), port.matches("\\d{1,5}") ? Integer.parseInt(port) : 0);
    }
}
