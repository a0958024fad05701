package dev.jitney.fuzz.target;

import dev.jitney.fuzz.input.HttpRequests;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A raw HTTP request: messages, administration in Atom XML, tokens, paths. The answer is never a failure of the server;
 * an invalid request gets a client error. {@link HttpRequests#TOKEN} stands for a valid token.
 */
final class HttpTarget extends ServerTarget<HttpFront> {
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\nContent-Length:[ \t]*(\\d{1,6})[ \t]*\r\n");

    HttpTarget() throws Exception {
        super("http", octets(), new HttpFront());
    }

    @Override
    public byte[] generate(Random random) {
        return new HttpRequests(random).next().getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void run(byte[] input) throws Exception {
        String request = new String(input, StandardCharsets.ISO_8859_1);
        byte[] sent = request.replace(HttpRequests.TOKEN, front.token()).getBytes(StandardCharsets.ISO_8859_1);
        front.status(sent, isComplete(request));
    }

    /**
     * Returns whether the text is one request with a body of the declared length, as far as a simple check can show it.
     */
    private static boolean isComplete(String request) {
        int head = request.indexOf("\r\n\r\n");
        if (head < 0 || !request.matches("(?s)[A-Z]+ /\\S* HTTP/1\\.1\r\n.*") || request.contains("\0")) {
            return false;
        }
        String lines = request.substring(0, head + 2);
        Matcher length = LENGTH.matcher(lines);
        boolean hasLength = length.find();
        int lengths = lines.split("(?i)content-length", -1).length - 1;
        return lengths == (hasLength ? 1 : 0)
                && (hasLength ? Integer.parseInt(length.group(1)) : 0) == request.length() - head - 4
                && !lines.toLowerCase(java.util.Locale.ROOT)
                        // Netty's decoder accepts names like Content-Xength for Content-Length.
                        .matches("(?s).*(transfer-encoding|upgrade|expect|connect|content-[^l]ength).*");
    }

    private static List<byte[]> octets() {
        return Stream.concat(
                        Stream.of(HttpRequests.JSON),
                        Stream.of(
                                "\r\n",
                                "Authorization: " + HttpRequests.TOKEN,
                                "%2F",
                                "../",
                                "?api-version=2021-05",
                                "<![CDATA[",
                                "&amp;",
                                "<!DOCTYPE a>",
                                "xmlns=\"\"",
                                "Transfer-Encoding: chunked\r\n",
                                "$Resources/Queues"))
                .map(word -> word.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
    }
}
