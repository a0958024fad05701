import { test } from "node:test";
import assert from "node:assert/strict";
import { MAX, admin, all, assertFails, fresh, partitioned, plain, reported } from "./support.mjs";

test("ENT-1: a topic's defaults", async () => {
  const name = fresh("topic");
  for (const topic of [await admin.createTopic(name), await admin.getTopic(name)]) {
    assert.deepEqual(plain(topic), {
      name,
      defaultMessageTimeToLive: MAX,
      maxSizeInMegabytes: reported(1024),
      maxMessageSizeInKilobytes: 256,
      requiresDuplicateDetection: false,
      duplicateDetectionHistoryTimeWindow: "PT10M",
      enableBatchedOperations: true,
      authorizationRules: undefined,
      status: "Active",
      userMetadata: undefined,
      supportOrdering: true,
      autoDeleteOnIdle: MAX,
      enablePartitioning: partitioned,
      availabilityStatus: "Available",
      enableExpress: false,
    });
  }
});

test("ENT-1: a topic's options and updates", async () => {
  const name = fresh("topic");
  const options = {
    defaultMessageTimeToLive: "PT90M",
    maxSizeInMegabytes: 5120,
    requiresDuplicateDetection: true,
    duplicateDetectionHistoryTimeWindow: "PT20S",
    enableBatchedOperations: false,
    status: "SendDisabled",
    userMetadata: "m",
    supportOrdering: false,
    autoDeleteOnIdle: "PT5M",
  };
  await admin.createTopic(name, options);
  const topic = await admin.getTopic(name);
  const expected = { ...options, defaultMessageTimeToLive: "PT1H30M", maxSizeInMegabytes: reported(5120) };
  for (const [property, value] of Object.entries(expected)) {
    assert.equal(topic[property], value, property);
  }
  Object.assign(topic, { status: "Active", userMetadata: undefined, defaultMessageTimeToLive: "P1D" });
  await admin.updateTopic(topic);
  const changed = await admin.getTopic(name);
  assert.equal(changed.status, "Active");
  assert.equal(changed.userMetadata, undefined);
  assert.equal(changed.defaultMessageTimeToLive, "P1D");
  assert.equal(changed.requiresDuplicateDetection, true);
  await admin.updateTopic(changed);
  assert.deepEqual(plain(await admin.getTopic(name)), plain(changed));
});

test("HTTP checklist 54: a topic exists as a topic only, and is deleted with its subscriptions", async () => {
  const name = fresh("topic");
  assert.equal(await admin.topicExists(name), false);
  await admin.createTopic(name);
  await admin.createSubscription(name, "s");
  assert.equal(await admin.topicExists(name), true);
  assert.equal(await admin.queueExists(name), false);
  await admin.deleteTopic(name);
  assert.equal(await admin.topicExists(name), false);
  assert.equal(await admin.subscriptionExists(name, "s"), false);
  await assertFails(admin.getTopic(name), "MessageEntityNotFoundError", 200);
});

test("ENT-1: a subscription's defaults", async () => {
  const topicName = (await admin.createTopic(fresh("topic"))).name;
  for (const subscription of [
    await admin.createSubscription(topicName, "s-1"),
    await admin.getSubscription(topicName, "s-1"),
  ]) {
    const { defaultRuleOptions, ...properties } = plain(subscription);
    assert.equal(defaultRuleOptions, undefined);
    assert.deepEqual(properties, {
      topicName,
      subscriptionName: "s-1",
      lockDuration: "PT1M",
      requiresSession: false,
      defaultMessageTimeToLive: MAX,
      deadLetteringOnMessageExpiration: false,
      deadLetteringOnFilterEvaluationExceptions: true,
      maxDeliveryCount: 10,
      enableBatchedOperations: true,
      status: "Active",
      forwardTo: undefined,
      userMetadata: undefined,
      forwardDeadLetteredMessagesTo: undefined,
      autoDeleteOnIdle: MAX,
      availabilityStatus: "Available",
    });
  }
});

test("ENT-1: a subscription's options, updates and end", async () => {
  const topicName = (await admin.createTopic(fresh("topic"))).name;
  const target = (await admin.createQueue(fresh("target"))).name;
  const options = {
    lockDuration: "PT5M",
    requiresSession: true,
    defaultMessageTimeToLive: "P10D",
    deadLetteringOnMessageExpiration: true,
    deadLetteringOnFilterEvaluationExceptions: false,
    maxDeliveryCount: 2,
    enableBatchedOperations: false,
    status: "ReceiveDisabled",
    userMetadata: "m",
    autoDeleteOnIdle: "P1D",
  };
  await admin.createSubscription(topicName, "s", { ...options, forwardDeadLetteredMessagesTo: target });
  const subscription = await admin.getSubscription(topicName, "s");
  for (const [property, value] of Object.entries(options)) {
    assert.equal(subscription[property], value, property);
  }
  assert.ok(subscription.forwardDeadLetteredMessagesTo.endsWith(`/${target}`));
  Object.assign(subscription, {
    status: "Active",
    maxDeliveryCount: 3,
    userMetadata: undefined,
    forwardDeadLetteredMessagesTo: undefined,
  });
  await admin.updateSubscription(subscription);
  const changed = await admin.getSubscription(topicName, "s");
  assert.equal(changed.status, "Active");
  assert.equal(changed.maxDeliveryCount, 3);
  assert.equal(changed.userMetadata, undefined);
  assert.equal(changed.forwardDeadLetteredMessagesTo, undefined);
  assert.equal(changed.requiresSession, true);
  await assertFails(
    admin.updateSubscription(Object.assign(changed, { requiresSession: false })),
    "ServiceError",
    400,
  );
  await assertFails(
    admin.createSubscription(topicName, "s"),
    "MessageEntityAlreadyExistsError",
    409,
    "The messaging entity '",
  );
  assert.equal(await admin.subscriptionExists(topicName, "s"), true);
  await admin.deleteSubscription(topicName, "s");
  assert.equal(await admin.subscriptionExists(topicName, "s"), false);
  await assertFails(admin.getSubscription(topicName, "s"), "MessageEntityNotFoundError", 404, "Entity '");
  await assertFails(admin.deleteSubscription(topicName, "s"), "MessageEntityNotFoundError", 404, "No service");
  await assertFails(admin.createSubscription(fresh("missing"), "s"), "MessageEntityNotFoundError", 404);
});

test("HTTP checklist 46: the first rule of a subscription", async () => {
  const topicName = (await admin.createTopic(fresh("topic"))).name;
  await admin.createSubscription(topicName, "plain");
  assert.deepEqual(
    (await all(admin.listRules(topicName, "plain"))).map((r) => r.name),
    ["$Default"],
  );
  await admin.createSubscription(topicName, "red", {
    defaultRuleOptions: { name: "red-only", filter: { sqlExpression: "colour = 'red'" } },
  });
  assert.deepEqual(
    (await all(admin.listRules(topicName, "red"))).map((r) => r.name),
    ["red-only"],
  );
});
