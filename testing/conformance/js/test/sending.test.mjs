import { test } from "node:test";
import assert from "node:assert/strict";
import { ServiceBusClient } from "@azure/service-bus";
import { assertNone, counter, freshQueue, inOrder, next, options, sasConnectionString, sharedClient } from "./support.mjs";

const shared = sharedClient();

test("MSG-4: every system property arrives unchanged", async () => {
  const queue = freshQueue();
  const sent = {
    body: { order: 1, lines: ["a", "b"] },
    messageId: "id-1",
    correlationId: "correlation",
    sessionId: "session",
    partitionKey: "session",
    replyTo: "reply",
    replyToSessionId: "reply-session",
    subject: "subject",
    to: "to",
    contentType: "application/json",
    timeToLive: 60_000,
  };
  await shared.client.createSender(queue).sendMessages(sent);
  const received = await next(shared.client.createReceiver(queue, { receiveMode: "receiveAndDelete" }));
  for (const [name, value] of Object.entries(sent)) {
    assert.deepEqual(received[name], value, name);
  }
  assert.equal(counter(received.sequenceNumber), 1);
  assert.ok(received.enqueuedTimeUtc instanceof Date);
  assert.equal(received.expiresAtUtc.getTime() - received.enqueuedTimeUtc.getTime(), 60_000);
});

test("MSG-6: application properties keep their values", async () => {
  const queue = freshQueue();
  const properties = {
    positive: 42,
    negative: -7,
    large: 4_294_967_295,
    fraction: 1.5,
    yes: true,
    nothing: null,
    text: "text €",
    date: new Date(1_700_000_000_000),
  };
  await shared.client.createSender(queue).sendMessages({ body: "typed", applicationProperties: properties });
  const received = await next(shared.client.createReceiver(queue, { receiveMode: "receiveAndDelete" }));
  // The SDK returns timestamps in application properties as milliseconds.
  assert.deepEqual({ ...received.applicationProperties }, { ...properties, date: properties.date.getTime() });
});

test("Wire 40: data, value and sequence bodies arrive unchanged", async () => {
  const queue = freshQueue();
  const sender = shared.client.createSender(queue);
  const receiver = shared.client.createReceiver(queue, { receiveMode: "receiveAndDelete" });

  await sender.sendMessages({ body: Buffer.from([0, 1, 2, 255]) });
  assert.deepEqual(Buffer.from((await next(receiver)).body), Buffer.from([0, 1, 2, 255]));

  await sender.sendMessages({ body: { a: 1 }, bodyType: "value" });
  const value = await next(receiver);
  assert.deepEqual(value.body, { a: 1 });
  assert.equal(value._rawAmqpMessage.bodyType, "value");

  await sender.sendMessages({ body: ["a", 1, true], bodyType: "sequence" });
  const sequence = await next(receiver);
  assert.deepEqual(sequence.body, ["a", 1, true]);
  assert.equal(sequence._rawAmqpMessage.bodyType, "sequence");
});

test("MSG-8: a batch is stored in order", async () => {
  const queue = freshQueue();
  const sender = shared.client.createSender(queue);
  const batch = await sender.createMessageBatch();
  assert.equal(batch.maxSizeInBytes, 256 * 1024);
  for (let i = 0; i < 100; i++) {
    assert.ok(batch.tryAddMessage({ body: i, subject: `s${i}` }));
  }
  await sender.sendMessages(batch);
  const receiver = shared.client.createReceiver(queue, { receiveMode: "receiveAndDelete" });
  const received = [];
  while (received.length < 100) {
    const some = await receiver.receiveMessages(100 - received.length, { maxWaitTimeInMs: 60_000 });
    assert.ok(some.length > 0);
    received.push(...some);
  }
  assert.deepEqual(
    received.map((m) => m.body),
    Array.from({ length: 100 }, (_, i) => i),
  );
  assert.deepEqual(
    received.map((m) => counter(m.sequenceNumber)),
    Array.from({ length: 100 }, (_, i) => i + 1),
  );
});

test("QUOTA-5: a message near 256 KB passes, a larger one is rejected because of its size", async () => {
  const queue = freshQueue();
  const sender = shared.client.createSender(queue);
  const large = Buffer.alloc(255 * 1024, 7);
  await sender.sendMessages({ body: large });
  await assert.rejects(sender.sendMessages({ body: Buffer.alloc(256 * 1024 + 1) }), (e) => {
    assert.match(`${e.code} ${e.message}`, /MessageSizeExceeded|message-size-exceeded|exceed/i);
    return true;
  });
  const receiver = shared.client.createReceiver(queue, { receiveMode: "receiveAndDelete" });
  assert.equal(Buffer.compare(Buffer.from((await next(receiver)).body), large), 0);
  await assertNone(receiver);
});

test("Wire 4: a ready-made shared access signature works, without any SASL", async () => {
  const queue = freshQueue();
  const client = new ServiceBusClient(sasConnectionString, options);
  try {
    await client.createSender(queue).sendMessages({ body: "signed" });
    assert.equal((await next(client.createReceiver(queue))).body, "signed");
  } finally {
    await client.close();
  }
});

test("PAIR-32: a ping is accepted and never stored", async () => {
  const queue = freshQueue();
  const sender = shared.client.createSender(queue);
  const ping = { body: Buffer.alloc(0), contentType: "application/vnd.ms-servicebus-ping", timeToLive: 1000 };
  await sender.sendMessages(inOrder(ping));
  await sender.sendMessages(inOrder({ body: "real" }));
  const receiver = shared.client.createReceiver(queue, { receiveMode: "receiveAndDelete" });
  assert.deepEqual(
    (await receiver.peekMessages(10)).map((m) => m.body),
    ["real"],
  );
  assert.equal(counter((await next(receiver)).sequenceNumber), 1);
});
