import { test } from "node:test";
import assert from "node:assert/strict";
import { MAX, admin, assertFails, fresh, partitioned, plain, reported } from "./support.mjs";

test("HTTP checklist 18: an empty description creates a queue with every default", async () => {
  const name = fresh("defaults");
  for (const queue of [await admin.createQueue(name), await admin.getQueue(name)]) {
    assert.deepEqual(plain(queue), {
      name,
      lockDuration: "PT1M",
      maxSizeInMegabytes: reported(1024),
      maxMessageSizeInKilobytes: 256,
      requiresDuplicateDetection: false,
      requiresSession: false,
      defaultMessageTimeToLive: MAX,
      deadLetteringOnMessageExpiration: false,
      duplicateDetectionHistoryTimeWindow: "PT10M",
      maxDeliveryCount: 10,
      enableBatchedOperations: true,
      authorizationRules: undefined,
      status: "Active",
      forwardTo: undefined,
      userMetadata: undefined,
      autoDeleteOnIdle: MAX,
      enablePartitioning: partitioned,
      forwardDeadLetteredMessagesTo: undefined,
      enableExpress: false,
      availabilityStatus: "Available",
    });
  }
});

test("ENT-1: every option given at creation is kept", async () => {
  const name = fresh("options");
  const options = {
    lockDuration: "PT45S",
    maxSizeInMegabytes: 2048,
    requiresDuplicateDetection: true,
    requiresSession: true,
    defaultMessageTimeToLive: "P2DT1H0.5S",
    deadLetteringOnMessageExpiration: true,
    duplicateDetectionHistoryTimeWindow: "PT7M",
    maxDeliveryCount: 8,
    enableBatchedOperations: false,
    status: "ReceiveDisabled",
    userMetadata: "<owner> & \u2615 \u{1d11e}",
    autoDeleteOnIdle: "PT5M",
    authorizationRules: [
      {
        accessRights: ["Listen", "Send"],
        keyName: "cook",
        claimType: "SharedAccessKey",
        primaryKey: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        secondaryKey: "HxECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
      },
    ],
  };
  await admin.createQueue(name, options);
  const queue = plain(await admin.getQueue(name));
  const { authorizationRules, ...expected } = options;
  expected.maxSizeInMegabytes = reported(options.maxSizeInMegabytes);
  for (const [property, value] of Object.entries(expected)) {
    assert.equal(queue[property], value, property);
  }
  assert.equal(queue.authorizationRules.length, 1);
  const [rule] = queue.authorizationRules;
  assert.deepEqual([...rule.accessRights].sort(), ["Listen", "Send"]);
  assert.equal(rule.keyName, "cook");
  assert.equal(rule.primaryKey, authorizationRules[0].primaryKey);
  assert.equal(rule.secondaryKey, authorizationRules[0].secondaryKey);
});

test("HTTP 2.4: an update changes and clears properties, and has no effect with an unchanged description", async () => {
  const name = fresh("update");
  const target = (await admin.createQueue(fresh("target"))).name;
  const created = await admin.createQueue(name, { userMetadata: "m" });
  Object.assign(created, {
    lockDuration: "PT10S",
    maxSizeInMegabytes: 3072,
    defaultMessageTimeToLive: "PT1S",
    deadLetteringOnMessageExpiration: true,
    duplicateDetectionHistoryTimeWindow: "PT3M",
    maxDeliveryCount: 2147483647,
    enableBatchedOperations: false,
    status: "SendDisabled",
    autoDeleteOnIdle: "P1D",
    forwardDeadLetteredMessagesTo: target,
    userMetadata: undefined,
  });
  await admin.updateQueue(created);
  const changed = await admin.getQueue(name);
  assert.equal(changed.lockDuration, "PT10S");
  assert.equal(changed.maxSizeInMegabytes, reported(3072));
  assert.equal(changed.defaultMessageTimeToLive, "PT1S");
  assert.equal(changed.deadLetteringOnMessageExpiration, true);
  assert.equal(changed.duplicateDetectionHistoryTimeWindow, "PT3M");
  assert.equal(changed.maxDeliveryCount, 2147483647);
  assert.equal(changed.enableBatchedOperations, false);
  assert.equal(changed.status, "SendDisabled");
  assert.equal(changed.autoDeleteOnIdle, "P1D");
  assert.match(changed.forwardDeadLetteredMessagesTo, new RegExp(`^sb://localhost(:\\d+)?/${target}$`));
  assert.equal(changed.userMetadata, undefined);
  await admin.updateQueue(changed);
  assert.deepEqual(plain(await admin.getQueue(name)), plain(changed));
});

test("HTTP checklist 31: fixed properties cannot be changed", async () => {
  const name = fresh("fixed");
  for (const change of [
    { requiresSession: true },
    { requiresDuplicateDetection: true },
    { enablePartitioning: !partitioned },
  ]) {
    const queue = (await admin.queueExists(name)) ? await admin.getQueue(name) : await admin.createQueue(name);
    await assertFails(admin.updateQueue(Object.assign(queue, change)), "ServiceError", 400, "SubCode=40000.");
    const [[property, value]] = Object.entries(change);
    assert.equal((await admin.getQueue(name))[property], !value, property);
  }
});

test("HTTP checklist 20, 21 and 54: create twice, exists, delete twice", async () => {
  const name = fresh("life");
  assert.equal(await admin.queueExists(name), false);
  await assertFails(admin.getQueue(name), "MessageEntityNotFoundError", 200);
  await admin.createQueue(name);
  assert.equal(await admin.queueExists(name), true);
  await assertFails(admin.createQueue(name), "MessageEntityAlreadyExistsError", 409, "SubCode=40900.");
  await assertFails(admin.createTopic(name), "MessageEntityAlreadyExistsError", 409, "SubCode=40900.");
  const queue = await admin.getQueue(name);
  await admin.deleteQueue(name);
  assert.equal(await admin.queueExists(name), false);
  await assertFails(admin.deleteQueue(name), "MessageEntityNotFoundError", 404, "No service is hosted");
  await assertFails(admin.updateQueue(queue), "MessageEntityNotFoundError", 404, "SubCode=40400.");
});

test("HTTP checklist 14 and 15: a name with slashes, in any case", async () => {
  const name = fresh("Kitchen/Orders");
  await admin.createQueue(name);
  assert.equal((await admin.getQueue(name)).name, name);
  await assertFails(admin.createQueue(name.toUpperCase()), "MessageEntityAlreadyExistsError", 409);
  await admin.deleteQueue(name.toLowerCase());
  assert.equal(await admin.queueExists(name), false);
});

test("HTTP checklist 41 to 44: forwarding", async () => {
  const target = (await admin.createQueue(fresh("Target"))).name;
  const name = fresh("source");
  const queue = await admin.createQueue(name, { forwardTo: target });
  assert.match(queue.forwardTo, new RegExp(`^sb://localhost(:\\d+)?/${target}$`));
  queue.forwardTo = undefined;
  assert.equal((await admin.updateQueue(queue)).forwardTo, undefined);
  await assertFails(admin.createQueue(fresh("s"), { forwardTo: "missing" }), "ServiceError", 400, "SubCode=40400.");
  const self = fresh("self");
  await assertFails(admin.createQueue(self, { forwardTo: self }), "ServiceError", 400);
  await assertFails(
    admin.createQueue(fresh("s"), { forwardTo: target, requiresSession: true }),
    "ServiceError",
    400,
    "SubCode=40000.",
  );
});

test("ENT-1, HTTP 5.2: values out of range are rejected", async () => {
  const name = fresh("range");
  for (const options of [
    { lockDuration: "PT5M0.001S" },
    { lockDuration: "PT4S" },
    { lockDuration: "P1W" },
    { lockDuration: "soon" },
    { maxSizeInMegabytes: 1500 },
    { maxDeliveryCount: 0 },
    { autoDeleteOnIdle: "PT4M59S" },
    { defaultMessageTimeToLive: "PT0S" },
    { defaultMessageTimeToLive: "-PT1M" },
    { userMetadata: "x".repeat(1025) },
    { maxMessageSizeInKilobytes: 1023 },
    { requiresDuplicateDetection: true, duplicateDetectionHistoryTimeWindow: "PT19S" },
    { requiresDuplicateDetection: true, enableExpress: true },
    { status: "Creating" },
  ]) {
    await assertFails(admin.createQueue(name, options), "ServiceError", 400);
  }
  assert.equal(await admin.queueExists(name), false);
});
