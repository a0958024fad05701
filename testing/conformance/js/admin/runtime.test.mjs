import { test } from "node:test";
import assert from "node:assert/strict";
import { admin, all, fresh } from "./support.mjs";

// The queue js-counted has three active messages, a scheduled and a dead-lettered one.
test("HTTP checklist 60 and 61: runtime properties of a queue", async () => {
  const counted = await admin.getQueueRuntimeProperties("js-counted");
  assert.equal(counted.name, "js-counted");
  assert.equal(counted.activeMessageCount, 3);
  assert.equal(counted.scheduledMessageCount, 1);
  assert.equal(counted.deadLetterMessageCount, 1);
  assert.equal(counted.transferMessageCount, 0);
  assert.equal(counted.transferDeadLetterMessageCount, 0);
  assert.equal(counted.totalMessageCount, 5);
  assert.ok(counted.sizeInBytes > 0);
  assert.ok(counted.createdAt <= counted.modifiedAt);
  assert.ok(counted.accessedAt.getUTCFullYear() > 2000);
  const listed = (await all(admin.listQueuesRuntimeProperties())).find((q) => q.name === "js-counted");
  assert.equal(listed.totalMessageCount, 5);
});

test("HTTP checklist 61: runtime properties of topics and subscriptions", async () => {
  const topic = (await admin.createTopic(fresh("topic"))).name;
  await admin.createSubscription(topic, "a");
  await admin.createSubscription(topic, "b");
  const ofTopic = await admin.getTopicRuntimeProperties(topic);
  assert.equal(ofTopic.subscriptionCount, 2);
  assert.equal(ofTopic.scheduledMessageCount, 0);
  assert.equal(ofTopic.sizeInBytes, 0);
  const ofSubscription = await admin.getSubscriptionRuntimeProperties(topic, "a");
  assert.equal(ofSubscription.totalMessageCount, 0);
  assert.equal(ofSubscription.activeMessageCount, 0);
  const listed = await all(admin.listSubscriptionsRuntimeProperties(topic));
  assert.deepEqual(
    listed.map((s) => s.subscriptionName),
    ["a", "b"],
  );
  assert.ok((await all(admin.listTopicsRuntimeProperties())).some((t) => t.name === topic));
});

test("HTTP checklist 62: the namespace", async () => {
  const namespace = await admin.getNamespaceProperties();
  assert.equal(namespace.messagingSku, "Standard");
  assert.ok(namespace.name.length > 0);
  assert.ok(namespace.createdAt <= namespace.modifiedAt);
  assert.equal(namespace.messagingUnits, undefined);
});

test("HTTP checklist 56: 250 queues and subscriptions are listed completely, once, in pages", async () => {
  const word = fresh("list");
  const names = Array.from({ length: 250 }, (_, i) => `${word}-${i}`).sort();
  for (const name of names) {
    await admin.createQueue(name);
  }
  const mine = (name) => name.startsWith(`${word}-`);
  const listed = (await all(admin.listQueues())).map((q) => q.name).filter(mine);
  assert.deepEqual(listed, names);
  const paged = [];
  for await (const page of admin.listQueues().byPage({ maxPageSize: 40 })) {
    assert.ok(page.length <= 40);
    paged.push(...page.map((q) => q.name).filter(mine));
  }
  assert.deepEqual(paged, names);
  const topic = (await admin.createTopic(fresh("topic"))).name;
  const subscriptions = Array.from({ length: 120 }, (_, i) => `s-${i}`).sort();
  for (const name of subscriptions) {
    await admin.createSubscription(topic, name);
  }
  assert.deepEqual(
    (await all(admin.listSubscriptions(topic))).map((s) => s.subscriptionName),
    subscriptions,
  );
});
