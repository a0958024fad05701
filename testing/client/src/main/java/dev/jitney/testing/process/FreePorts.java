package dev.jitney.testing.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports on loopback for processes that cannot choose their own. */
public final class FreePorts {
    private FreePorts() {}

    /** Returns different ports that no process listens on. */
    public static List<Integer> of(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            // All of them are open at once, so that they differ.
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }
}
