// Sends and receives through a WebSocket inside TLS, on the queue "orders".
import { ServiceBusClient } from "@azure/service-bus";
import WebSocket from "ws";

const connectionString =
  process.env.SERVICEBUS_CONNECTION_STRING ??
  "Endpoint=sb://localhost:8443;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE";

const client = new ServiceBusClient(connectionString, { webSocketOptions: { webSocket: WebSocket } });
const sender = client.createSender("orders");
const receiver = client.createReceiver("orders");

await sender.sendMessages({ body: "one coffee, through the firewall" });
const [coffee] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 10_000 });
console.log("Received:", coffee.body);
await receiver.completeMessage(coffee);

await client.close();
