// Sends "first", waits for a message in the queue "go", then sends "second"; the server is restarted meanwhile.
import { ServiceBusClient } from "@azure/service-bus";
import WebSocket from "ws";

const client = new ServiceBusClient(process.env.SERVICEBUS_CONNECTION_STRING, {
  webSocketOptions: { webSocket: WebSocket },
  retryOptions: { maxRetries: 20, retryDelayInMs: 200, timeoutInMs: 30_000 },
});
const sender = client.createSender("results");
const receiver = client.createReceiver("go");

const told = new Promise((resolve) => {
  receiver.subscribe(
    {
      processMessage: async (message) => {
        await receiver.completeMessage(message); // or the client may be closed before
        resolve(message.body);
      },
      processError: async ({ error }) => console.log(`Told: ${error.message}`),
    },
    { autoCompleteMessages: false },
  );
});
await sender.sendMessages({ body: "first", messageId: "1" });
console.log(`Received: ${await told}`);
await sender.sendMessages({ body: "second", messageId: "2" });
await client.close();
