import { test } from "node:test";
import assert from "node:assert/strict";
import { assertNone, freshQueue, next, sharedClient } from "./support.mjs";

const shared = sharedClient();

test("SCN-5: a message that is abandoned ten times is dead-lettered", async () => {
  const queue = freshQueue();
  await shared.client.createSender(queue).sendMessages({ body: "poison" });
  const receiver = shared.client.createReceiver(queue);
  for (let failures = 0; failures < 10; failures++) {
    const message = await next(receiver);
    assert.equal(message.deliveryCount, failures);
    await receiver.abandonMessage(message);
  }
  await assertNone(receiver);
  const dead = await next(shared.client.createReceiver(queue, { subQueueType: "deadLetter" }));
  assert.equal(dead.body, "poison");
  assert.equal(dead.deadLetterReason, "MaxDeliveryCountExceeded");
  assert.equal(dead.deadLetterErrorDescription, "Message could not be consumed after 10 delivery attempts.");
});

test("DLQ-13: reason, description and properties arrive in the dead-letter queue", async () => {
  const queue = freshQueue();
  await shared.client.createSender(queue).sendMessages({ body: "bad", applicationProperties: { shop: 7 } });
  const receiver = shared.client.createReceiver(queue);
  await receiver.deadLetterMessage(await next(receiver), {
    deadLetterReason: "malformed",
    deadLetterErrorDescription: "no number",
    checkedBy: "test",
  });
  const deadReceiver = shared.client.createReceiver(queue, { subQueueType: "deadLetter" });
  const dead = await next(deadReceiver);
  assert.equal(dead.deadLetterReason, "malformed");
  assert.equal(dead.deadLetterErrorDescription, "no number");
  assert.equal(dead.applicationProperties.shop, 7);
  assert.equal(dead.applicationProperties.checkedBy, "test");
  await deadReceiver.completeMessage(dead);
  assert.deepEqual(await deadReceiver.peekMessages(10), []);
});

test("TTL-22: an expired message is dead-lettered once there is a receiver", async () => {
  const queue = "js-dead-letter-expired";
  await shared.client.createSender(queue).sendMessages({ body: "late", timeToLive: 1 });
  await assertNone(shared.client.createReceiver(queue));
  const dead = await next(shared.client.createReceiver(queue, { subQueueType: "deadLetter" }));
  assert.equal(dead.body, "late");
  assert.equal(dead.deadLetterReason, "TTLExpiredException");
});

test("DLQ-33: the transfer dead-letter queue can be read and is empty", async () => {
  const receiver = shared.client.createReceiver(freshQueue(), { subQueueType: "transferDeadLetter" });
  await assertNone(receiver);
  assert.deepEqual(await receiver.peekMessages(1), []);
});
