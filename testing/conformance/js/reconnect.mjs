// Waits for a message in the queue "go", sends "first", waits for another message in "go", then sends "second"; the server is restarted
// before the other message. By then both links are open: the SDK can wait forever if it loses a connection while it opens a link.
import { ServiceBusClient } from "@azure/service-bus";
import WebSocket from "ws";

const client = new ServiceBusClient(process.env.SERVICEBUS_CONNECTION_STRING, {
  webSocketOptions: { webSocket: WebSocket },
  retryOptions: { maxRetries: 20, retryDelayInMs: 200, timeoutInMs: 30_000 },
});
const sender = client.createSender("results");
const receiver = client.createReceiver("go");

const arrived = [];
const messages = [0, 1].map(() => new Promise((resolve) => arrived.push(resolve)));
receiver.subscribe(
  {
    processMessage: async (message) => {
      await receiver.completeMessage(message); // or the client may be closed before
      arrived.shift()(message.body);
    },
    processError: async ({ error }) => console.log(`Told: ${error.message}`),
  },
  { autoCompleteMessages: false },
);
console.log(`Received: ${await messages[0]}`);
await sender.sendMessages({ body: "first", messageId: "1" });
console.log(`Received: ${await messages[1]}`);
await sender.sendMessages({ body: "second", messageId: "2" });
await client.close();
