// The lines of the guides to sessions and forwarding, run.
import { ServiceBusClient } from "@azure/service-bus";

const client = new ServiceBusClient(process.env.SERVICEBUS_CONNECTION_STRING);
await client.createSender("orders").sendMessages({ body: "order placed", sessionId: "customer-17" });

const received = new Promise((resolve, reject) => {
  globalThis.processMessage = async (message) => resolve(message.body);
  globalThis.processError = async ({ error }) => reject(error);
});
const session = await client.acceptNextSession("orders"); // or acceptSession("orders", "customer-17")
session.subscribe({ processMessage, processError });
console.log("Received:", await received);
await session.close();

const stranded = client.createReceiver("invoices", { subQueueType: "transferDeadLetter" });
console.log("Stranded:", (await stranded.peekMessages(1)).length);
await client.close();
