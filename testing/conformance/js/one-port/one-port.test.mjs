import { test } from "node:test";
import assert from "node:assert/strict";
import WebSocket from "ws";
import { ServiceBusAdministrationClient, ServiceBusClient } from "@azure/service-bus";

const connectionString = process.env.SERVICEBUS_CONNECTION_STRING;

test("ENT-1, MSG-1: the printed connection string serves administration and messages", async () => {
  const admin = new ServiceBusAdministrationClient(connectionString);
  await admin.createQueue("one-port");
  const client = new ServiceBusClient(connectionString);
  try {
    await client.createSender("one-port").sendMessages({ body: "over one port" });
    const [message] = await client.createReceiver("one-port").receiveMessages(1);
    assert.equal(message.body, "over one port");
  } finally {
    await client.close();
  }
  assert.equal((await admin.getQueueRuntimeProperties("one-port")).activeMessageCount, 1);
});

test("WebSocket: AMQP over WebSocket goes through the same port", async () => {
  const secure = connectionString.replace("UseDevelopmentEmulator=true;", "");
  const client = new ServiceBusClient(secure, { webSocketOptions: { webSocket: WebSocket } });
  try {
    await client.createSender("one-port").sendMessages({ body: "in a WebSocket" });
    const [message] = await client.createReceiver("one-port", { receiveMode: "receiveAndDelete" }).receiveMessages(1);
    assert.ok(["over one port", "in a WebSocket"].includes(message.body));
  } finally {
    await client.close();
  }
});
