import { test } from "node:test";
import assert from "node:assert/strict";
import { ServiceBusAdministrationClient, ServiceBusClient } from "@azure/service-bus";

const team = process.env.TEAM_CONNECTION_STRING;
const first = process.env.SERVICEBUS_CONNECTION_STRING;

test("ENT-1, MSG-1: a key name selects the namespace for an address without a namespace", async () => {
  const admin = new ServiceBusAdministrationClient(team);
  await admin.createQueue("js-of-team");
  const client = new ServiceBusClient(team);
  try {
    await client.createSender("js-of-team").sendMessages({ body: "for the team" });
    const [message] = await client.createReceiver("js-of-team").receiveMessages(1);
    assert.equal(message.body, "for the team");
  } finally {
    await client.close();
  }
  assert.equal(await new ServiceBusAdministrationClient(first).queueExists("js-of-team"), false);
});
