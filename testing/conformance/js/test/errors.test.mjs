import { test } from "node:test";
import assert from "node:assert/strict";
import { ServiceBusClient } from "@azure/service-bus";
import { connectionString, freshQueue, options, sharedClient } from "./support.mjs";

const shared = sharedClient();

test("GEN-1: a queue that does not exist is reported as such, to senders and receivers", async () => {
  await assert.rejects(
    shared.client.createSender("nothing-here").sendMessages({ body: "lost" }),
    (e) => e.code === "MessagingEntityNotFound",
  );
  await assert.rejects(
    shared.client.createReceiver("nothing-here").receiveMessages(1, { maxWaitTimeInMs: 1000 }),
    (e) => e.code === "MessagingEntityNotFound",
  );
});

test("SUSP-1: a disabled queue is reported as disabled", async () => {
  await assert.rejects(
    shared.client.createSender("js-disabled").sendMessages({ body: "refused" }),
    (e) => e.code === "MessagingEntityDisabled",
  );
});

test("Wire 20: a wrong key is reported as unauthorized", async () => {
  const client = new ServiceBusClient(connectionString.replace("SAS_KEY_VALUE", "wrong"), options);
  try {
    await assert.rejects(
      client.createSender(freshQueue()).sendMessages({ body: "refused" }),
      (e) => (e.errors ?? [e]).every((error) => error.code === "UnauthorizedAccess"), // one error per attempt
    );
  } finally {
    await client.close();
  }
});

test("Wire 75: a session receiver on a queue without sessions is rejected", async () => {
  await assert.rejects(shared.client.acceptSession(freshQueue(), "session", { maxAutoLockRenewalDurationInMs: 0 }));
});
