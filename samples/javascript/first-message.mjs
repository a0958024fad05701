// Sends, receives, defers, dead-letters, schedules and peeks, on the queue "orders".
import { ServiceBusClient } from "@azure/service-bus";

const connectionString =
  process.env.SERVICEBUS_CONNECTION_STRING ??
  "Endpoint=sb://localhost:5672;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true;";

const client = new ServiceBusClient(connectionString);
const sender = client.createSender("orders");
const receiver = client.createReceiver("orders");
const deadLetters = client.createReceiver("orders", { subQueueType: "deadLetter" });

async function receive(from) {
  const [message] = await from.receiveMessages(1, { maxWaitTimeInMs: 10_000 });
  return message;
}

// Send and receive. The message is locked for us until we complete it.
await sender.sendMessages({ body: "one coffee" });
const coffee = await receive(receiver);
console.log("Received:", coffee.body);
await receiver.completeMessage(coffee);

// Defer a message, and receive it by its sequence number.
await sender.sendMessages({ body: "one cake, when it is baked" });
const cake = await receive(receiver);
await receiver.deferMessage(cake);
const [baked] = await receiver.receiveDeferredMessages(cake.sequenceNumber);
console.log("Deferred:", baked.body);
await receiver.completeMessage(baked);

// Dead-letter a message that cannot be processed, with a reason, and receive it from the dead-letter queue.
await sender.sendMessages({ body: "one unicorn" });
await receiver.deadLetterMessage(await receive(receiver), { deadLetterReason: "not on the menu" });
const unicorn = await receive(deadLetters);
console.log(`Dead-lettered: ${unicorn.body}, ${unicorn.deadLetterReason}`);
await deadLetters.completeMessage(unicorn);

// Schedule a message, and peek at it without receiving it.
await sender.scheduleMessages({ body: "one tea" }, new Date(Date.now() + 2_000));
const [waiting] = await receiver.peekMessages(1);
console.log(`Peeked: ${waiting.body}, ${waiting.state}`);
const tea = await receive(receiver);
console.log("Scheduled:", tea.body);
await receiver.completeMessage(tea);

await client.close();
