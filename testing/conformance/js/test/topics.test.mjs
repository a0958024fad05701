import { test } from "node:test";
import assert from "node:assert/strict";
import { admin, assertNone, counter, freshTopic, inOrder, next, sharedClient, until } from "./support.mjs";

const shared = sharedClient();
const deadLetter = { subQueueType: "deadLetter" };

function inSeconds(seconds) {
  return new Date(Date.now() + seconds * 1000);
}

/** Creates a topic with subscriptions that select all messages. */
async function topicWith(...subscriptions) {
  const topic = await freshTopic();
  for (const name of subscriptions) {
    await admin.createSubscription(topic, name);
  }
  return topic;
}

function send(topic, messages) {
  return shared.client.createSender(topic).sendMessages(messages);
}

test("Every subscription gets its own complete copy", async () => {
  const topic = await topicWith("a", "b", "c");
  await send(topic, {
    body: { coffees: 2 },
    messageId: "m1",
    subject: "new",
    contentType: "application/json",
    correlationId: "c1",
    to: "kitchen",
    replyTo: "answers",
    applicationProperties: { cups: 2, kind: "espresso", hot: true },
  });
  for (const name of ["a", "b", "c"]) {
    const receiver = shared.client.createReceiver(topic, name);
    const message = await next(receiver);
    assert.deepEqual(message.body, { coffees: 2 });
    assert.equal(message.messageId, "m1");
    assert.equal(message.subject, "new");
    assert.equal(message.contentType, "application/json");
    assert.equal(message.correlationId, "c1");
    assert.equal(message.to, "kitchen");
    assert.equal(message.replyTo, "answers");
    assert.deepEqual(message.applicationProperties, { cups: 2, kind: "espresso", hot: true });
    assert.equal(counter(message.sequenceNumber), 1);
    await receiver.completeMessage(message);
    await assertNone(receiver);
  }
});

test("Operations on a copy in one subscription do not affect other copies", async () => {
  const topic = await topicWith("a", "b");
  await send(topic, { body: "m" });
  const a = shared.client.createReceiver(topic, "a");
  const first = await next(a);
  await a.abandonMessage(first, { seen: "by a" });
  const again = await next(a);
  assert.equal(again.deliveryCount, 1);
  assert.equal(again.applicationProperties.seen, "by a");
  await a.completeMessage(again);
  const b = shared.client.createReceiver(topic, "b");
  const other = await next(b);
  assert.equal(other.body, "m");
  assert.equal(other.deliveryCount, 0);
  assert.equal(other.applicationProperties?.seen, undefined);
  await b.completeMessage(other);
});

test("A batch of one hundred messages arrives in every subscription in order", async () => {
  const topic = await topicWith("a", "b");
  const sender = shared.client.createSender(topic);
  const batch = await sender.createMessageBatch();
  const bodies = Array.from({ length: 100 }, (_, i) => i);
  bodies.forEach((body) => assert.ok(batch.tryAddMessage({ body })));
  await sender.sendMessages(batch);
  for (const name of ["a", "b"]) {
    const receiver = shared.client.createReceiver(topic, name, { receiveMode: "receiveAndDelete" });
    const seen = [];
    while (seen.length < bodies.length) {
      const some = await receiver.receiveMessages(100 - seen.length, { maxWaitTimeInMs: 60_000 });
      assert.notEqual(some.length, 0);
      seen.push(...some.map((m) => m.body));
    }
    assert.deepEqual(seen, bodies);
    await receiver.close();
  }
});

test("Two receivers of one subscription share its messages, a large one is complete in each", async () => {
  const topic = await topicWith("a", "b");
  const large = "x".repeat(200_000);
  await send(topic, inOrder({ body: large }));
  await send(topic, inOrder({ body: "small" }));
  const one = shared.client.createReceiver(topic, "a");
  const two = shared.client.createReceiver(topic, "a");
  const bodies = [(await next(one)).body, (await next(two)).body];
  assert.deepEqual(bodies, [large, "small"]);
  assert.equal((await next(shared.client.createReceiver(topic, "b"))).body, large);
});

test("RULE-11: a subscription gets messages sent after its creation", async () => {
  const topic = await topicWith("early");
  await send(topic, { body: "first" });
  await admin.createSubscription(topic, "late");
  await send(topic, { body: "second" });
  const late = shared.client.createReceiver(topic, "late");
  assert.equal((await next(late)).body, "second");
  await assertNone(late);
});

test("DLQ-1, DLQ-13: a subscription has its own dead-letter queue", async () => {
  const topic = await topicWith("a", "b");
  await send(topic, { body: "bad", applicationProperties: { shop: 7 } });
  const a = shared.client.createReceiver(topic, "a");
  await a.deadLetterMessage(await next(a), { deadLetterReason: "malformed", deadLetterErrorDescription: "no number" });
  const deadReceiver = shared.client.createReceiver(topic, "a", deadLetter);
  const dead = await next(deadReceiver);
  assert.equal(dead.body, "bad");
  assert.equal(dead.deadLetterReason, "malformed");
  assert.equal(dead.deadLetterErrorDescription, "no number");
  assert.equal(dead.applicationProperties.shop, 7);
  await deadReceiver.completeMessage(dead);
  assert.deepEqual(await deadReceiver.peekMessages(10), []);
  await assertNone(shared.client.createReceiver(topic, "b", deadLetter));
  assert.equal((await next(shared.client.createReceiver(topic, "b"))).body, "bad");
});

test("DLQ-20: the limit of deliveries is that of the subscription", async () => {
  const topic = await freshTopic();
  await admin.createSubscription(topic, "strict", { maxDeliveryCount: 2 });
  await send(topic, { body: "poison" });
  const receiver = shared.client.createReceiver(topic, "strict");
  await receiver.abandonMessage(await next(receiver));
  await receiver.abandonMessage(await next(receiver));
  const dead = await next(shared.client.createReceiver(topic, "strict", deadLetter));
  assert.equal(dead.deadLetterReason, "MaxDeliveryCountExceeded");
  assert.equal(dead.deadLetterErrorDescription, "Message could not be consumed after 2 delivery attempts.");
});

test("DEFER-1 to 3: a copy is deferred and received by its number in that subscription", async () => {
  const topic = await topicWith("a", "b");
  await send(topic, { body: "m" });
  const receiver = shared.client.createReceiver(topic, "a");
  const message = await next(receiver);
  await receiver.deferMessage(message, { why: "later" });
  await assertNone(receiver);
  const [deferred] = await receiver.receiveDeferredMessages(message.sequenceNumber);
  assert.equal(deferred.body, "m");
  assert.equal(deferred.applicationProperties.why, "later");
  await receiver.completeMessage(deferred);
  await assert.rejects(
    shared.client.createReceiver(topic, "b").receiveDeferredMessages(message.sequenceNumber),
    (e) => e.code === "MessageNotFound",
  );
});

test("PEEK-1 to 3: a peek of a subscription includes locked and deferred messages", async () => {
  const topic = await topicWith("a");
  await send(topic, [1, 2, 3].map((body) => ({ body })));
  const receiver = shared.client.createReceiver(topic, "a");
  const [locked, deferred] = await receiver.receiveMessages(2, { maxWaitTimeInMs: 60_000 });
  await receiver.deferMessage(deferred);
  const peeked = await shared.client.createReceiver(topic, "a").peekMessages(10);
  assert.deepEqual(
    peeked.map((m) => [m.body, m.state]),
    [
      [1, "active"],
      [2, "deferred"],
      [3, "active"],
    ],
  );
  await receiver.completeMessage(locked);
});

test("LOCK-5: the lock of a subscription's message is renewed", async () => {
  const topic = await topicWith("a");
  await send(topic, { body: "m" });
  const receiver = shared.client.createReceiver(topic, "a");
  const message = await next(receiver);
  const before = message.lockedUntilUtc.getTime();
  assert.ok((await receiver.renewMessageLock(message)).getTime() >= before);
  await receiver.completeMessage(message);
});

test("A subscription is subscribed to, and handles what is published meanwhile", async () => {
  const topic = await topicWith("a");
  const receiver = shared.client.createReceiver(topic, "a");
  const seen = [];
  const done = new Promise((resolve, reject) => {
    receiver.subscribe({
      processMessage: async (message) => {
        seen.push(message.body);
        if (seen.length === 3) {
          resolve();
        }
      },
      processError: async (args) => reject(args.error),
    });
  });
  const sender = shared.client.createSender(topic);
  for (const body of ["a", "b", "c"]) {
    await sender.sendMessages({ body });
  }
  await done;
  await receiver.close();
  assert.deepEqual(seen, ["a", "b", "c"]);
  assert.deepEqual(await shared.client.createReceiver(topic, "a").peekMessages(1), []);
});

test("SCHED-7, CNT-2: a scheduled message waits at the topic, for the subscriptions of its time", async () => {
  const topic = await topicWith("a");
  const sender = shared.client.createSender(topic);
  const due = inSeconds(6); // long enough for all steps before
  const [number] = await sender.scheduleMessages({ body: "later" }, due);
  assert.ok(number.greaterThan(0));
  assert.equal((await admin.getTopicRuntimeProperties(topic)).scheduledMessageCount, 1);
  const ofSubscription = await admin.getSubscriptionRuntimeProperties(topic, "a");
  assert.equal(ofSubscription.totalMessageCount, 0);
  assert.deepEqual(await shared.client.createReceiver(topic, "a").peekMessages(1), []);
  await admin.createSubscription(topic, "late");
  for (const name of ["a", "late"]) {
    const message = await next(shared.client.createReceiver(topic, name));
    assert.equal(message.body, "later");
    assert.ok(message.enqueuedTimeUtc.getTime() >= due.getTime());
  }
  assert.equal((await admin.getTopicRuntimeProperties(topic)).scheduledMessageCount, 0);
});

test("SCHED-4: a message scheduled at a topic is canceled there", async () => {
  const topic = await topicWith("a");
  const sender = shared.client.createSender(topic);
  const numbers = await sender.scheduleMessages([{ body: "x" }, { body: "y" }], inSeconds(3600));
  assert.equal(numbers.length, 2);
  await sender.cancelScheduledMessages(numbers);
  assert.equal((await admin.getTopicRuntimeProperties(topic)).scheduledMessageCount, 0);
  await assert.rejects(sender.cancelScheduledMessages(numbers[0]), (e) => e.code === "MessageNotFound");
});

test("SCHED-8: messages scheduled at a topic can be peeked there", async () => {
  const topic = await topicWith("a");
  const sender = shared.client.createSender(topic);
  const [number] = await sender.scheduleMessages({ body: "later" }, inSeconds(3600));
  const [peeked] = await shared.client.createReceiver(topic).peekMessages(10);
  assert.equal(peeked.body, "later");
  assert.equal(peeked.state, "scheduled");
  assert.equal(peeked.sequenceNumber.toString(), number.toString());
  await sender.cancelScheduledMessages(number);
});

test("CNT-1, CNT-2: subscriptions count their messages, the topic only scheduled ones", async () => {
  const topic = await topicWith("a", "b");
  await send(topic, [1, 2, 3, 4].map((body) => ({ body })));
  await shared.client.createSender(topic).scheduleMessages({ body: 5 }, inSeconds(3600));
  const a = shared.client.createReceiver(topic, "a");
  await a.deadLetterMessage(await next(a));
  await a.deferMessage(await next(a));
  await a.completeMessage(await next(a));
  const ofA = await admin.getSubscriptionRuntimeProperties(topic, "a");
  assert.equal(ofA.activeMessageCount, 2);
  assert.equal(ofA.deadLetterMessageCount, 1);
  assert.equal(ofA.totalMessageCount, 3);
  assert.equal(ofA.transferMessageCount, 0);
  const ofB = await admin.getSubscriptionRuntimeProperties(topic, "b");
  assert.equal(ofB.activeMessageCount, 4);
  assert.equal(ofB.totalMessageCount, 4);
  const ofTopic = await admin.getTopicRuntimeProperties(topic);
  assert.equal(ofTopic.subscriptionCount, 2);
  assert.equal(ofTopic.scheduledMessageCount, 1);
  assert.ok(ofTopic.sizeInBytes > 0);
  assert.ok(ofTopic.accessedAt.getUTCFullYear() > 2000);
});

test("TTL-20, TTL-21: the shortest time to live of message, topic and subscription applies", async () => {
  const topic = await freshTopic({ defaultMessageTimeToLive: "PT1H" });
  await admin.createSubscription(topic, "short", {
    defaultMessageTimeToLive: "PT1M",
    deadLetteringOnMessageExpiration: true,
  });
  await admin.createSubscription(topic, "long", { deadLetteringOnMessageExpiration: true });
  await send(topic, { body: "m", timeToLive: 24 * 3_600_000 });
  const left = async (name) => {
    const [m] = await shared.client.createReceiver(topic, name).peekMessages(1);
    return m.expiresAtUtc.getTime() - m.enqueuedTimeUtc.getTime();
  };
  assert.equal(await left("short"), 60_000);
  assert.equal(await left("long"), 3_600_000);
  await send(topic, { body: "late", timeToLive: 1 });
  for (const name of ["short", "long"]) {
    const receiver = shared.client.createReceiver(topic, name);
    assert.equal((await next(receiver)).body, "m");
    await until("expiry", async () => {
      await assertNone(receiver);
      return (await admin.getSubscriptionRuntimeProperties(topic, name)).deadLetterMessageCount === 1;
    });
    const dead = await next(shared.client.createReceiver(topic, name, deadLetter));
    assert.equal(dead.body, "late");
    assert.equal(dead.deadLetterReason, "TTLExpiredException");
  }
});

test("SUSP-2: a disabled topic rejects messages, and its subscriptions allow receives", async () => {
  const topic = await topicWith("a");
  await send(topic, { body: "before" });
  await admin.updateTopic({ ...(await admin.getTopic(topic)), status: "SendDisabled" });
  await assert.rejects(send(topic, { body: "x" }), (e) => e.code === "MessagingEntityDisabled");
  const receiver = shared.client.createReceiver(topic, "a");
  await receiver.completeMessage(await next(receiver));
  await admin.updateTopic({ ...(await admin.getTopic(topic)), status: "Active" });
  await send(topic, { body: "after" });
  assert.equal((await next(receiver)).body, "after");
});

test("SUSP-3: a disabled subscription delivers no messages and still gets new ones", async () => {
  const topic = await topicWith("a");
  await admin.updateSubscription({ ...(await admin.getSubscription(topic, "a")), status: "ReceiveDisabled" });
  await send(topic, { body: "meanwhile" });
  await assert.rejects(
    shared.client.createReceiver(topic, "a").receiveMessages(1, { maxWaitTimeInMs: 60_000 }),
    (e) => e.code === "MessagingEntityDisabled",
  );
  await admin.updateSubscription({ ...(await admin.getSubscription(topic, "a")), status: "Active" });
  assert.equal((await next(shared.client.createReceiver(topic, "a"))).body, "meanwhile");
});

test("Wire 3.1: a topic rejects receivers, and a subscription rejects senders", async () => {
  const topic = await topicWith("a");
  await assert.rejects(
    shared.client.createReceiver(topic).receiveMessages(1, { maxWaitTimeInMs: 60_000 }),
    (e) => e.retryable === false && /topic/i.test(e.message),
  );
  await assert.rejects(
    shared.client.createSender(`${topic}/Subscriptions/a`).sendMessages({ body: "x" }),
    (e) => e.retryable === false && /subscription/i.test(e.message),
  );
  await assert.rejects(
    shared.client.createReceiver(topic, "none").receiveMessages(1, { maxWaitTimeInMs: 60_000 }),
    (e) => e.code === "MessagingEntityNotFound",
  );
  assert.deepEqual(await shared.client.createReceiver(topic, "a").peekMessages(1), []);
});

test("ENT-3: deleting a topic ends the links of its subscriptions", async () => {
  const topic = await topicWith("a");
  const receiver = shared.client.createReceiver(topic, "a");
  const ended = new Promise((resolve) => {
    receiver.subscribe({ processMessage: async () => {}, processError: async (args) => resolve(args.error) });
  });
  await admin.deleteTopic(topic);
  assert.equal((await ended).code, "MessagingEntityNotFound");
  await assert.rejects(send(topic, { body: "x" }), (e) => e.code === "MessagingEntityNotFound");
});
