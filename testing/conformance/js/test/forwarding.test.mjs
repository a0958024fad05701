import { test } from "node:test";
import assert from "node:assert/strict";
import { admin, counter, freshQueue, freshTopic, next, sharedClient, until } from "./support.mjs";

const shared = sharedClient();

/** Changes some properties of an existing queue. */
async function update(queue, properties) {
  await admin.updateQueue(Object.assign(await admin.getQueue(queue), properties));
}

async function counts(queue) {
  return admin.getQueueRuntimeProperties(queue);
}

test("FWD-1, FWD-9: a message goes through four queues and a topic", async () => {
  const chain = [freshQueue(), freshQueue(), freshQueue()];
  const last = freshQueue();
  const topic = await freshTopic();
  await admin.createSubscription(topic, "onward", { forwardTo: last });
  await update(chain[2], { forwardTo: topic });
  await update(chain[1], { forwardTo: chain[2] });
  await update(chain[0], { forwardTo: chain[1] });
  const sender = shared.client.createSender(chain[0]);
  await sender.sendMessages({ body: "on its way", messageId: "m", applicationProperties: { cups: 4 } });
  // Four transfers: to the second and third queue, to the topic, and from its subscription.
  const receiver = shared.client.createReceiver(last);
  const message = await next(receiver);
  assert.equal(message.body, "on its way");
  assert.equal(message.messageId, "m");
  assert.equal(message.applicationProperties.cups, 4);
  assert.equal(counter(message.enqueuedSequenceNumber), 1);
  await receiver.completeMessage(message);
  for (const queue of chain) {
    await until("it has left", async () => (await counts(queue)).totalMessageCount === 0);
  }
});

test("DLQ-30, DLQ-33: a message that cannot be forwarded is received from the transfer dead-letter queue", async () => {
  const to = freshQueue();
  const from = freshQueue();
  await update(from, { forwardTo: to });
  await admin.deleteQueue(to);
  await shared.client.createSender(from).sendMessages({ body: "stranded" });
  await until("it is counted", async () => (await counts(from)).transferDeadLetterMessageCount === 1);
  const receiver = shared.client.createReceiver(from, { subQueueType: "transferDeadLetter" });
  const message = await next(receiver);
  assert.equal(message.body, "stranded");
  assert.equal(message.deadLetterReason, "MessagingEntityNotFoundException");
  await receiver.completeMessage(message);
  await until("it is gone", async () => (await counts(from)).totalMessageCount === 0);
});

test("FWD-7: a queue that forwards rejects receivers", async () => {
  const from = freshQueue();
  await update(from, { forwardTo: freshQueue() });
  const receiver = shared.client.createReceiver(from);
  await assert.rejects(receiver.receiveMessages(1, { maxWaitTimeInMs: 60_000 }), (e) => {
    assert.ok(/forward/i.test(e.message), e.message);
    return true;
  });
  assert.deepEqual(await receiver.peekMessages(1), []);
});

test("FWD-11, DLQ-38: dead-letter messages are forwarded with their dead-letter source", async () => {
  const to = freshQueue();
  const from = freshQueue();
  await update(from, { forwardDeadLetteredMessagesTo: to });
  await shared.client.createSender(from).sendMessages({ body: "bad" });
  const receiver = shared.client.createReceiver(from);
  await receiver.deadLetterMessage(await next(receiver), { deadLetterReason: "malformed" });
  const dead = await next(shared.client.createReceiver(to));
  assert.equal(dead.body, "bad");
  assert.equal(dead.deadLetterSource, from);
  assert.equal(dead.deadLetterReason, "malformed");
});
