import { test } from "node:test";
import assert from "node:assert/strict";
import { ServiceBusClient } from "@azure/service-bus";
import { admin, adminWith, all, assertFails, fresh } from "./support.mjs";

const KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER_KEY = "HxECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

function rule(keyName, accessRights, primaryKey = KEY, secondaryKey = OTHER_KEY) {
  return { claimType: "SharedAccessKey", keyName, accessRights, primaryKey, secondaryKey };
}

test("HTTP checklist 4: a wrong key and an unknown rule", async () => {
  await assertFails(
    adminWith("RootManageSharedAccessKey", "wrong").createQueue("refused"),
    "UnauthorizedRequestError",
    401,
    "SubCode=40103.",
  );
  await assertFails(adminWith("nobody", "SAS_KEY_VALUE").getNamespaceProperties(), "UnauthorizedRequestError", 401);
  assert.equal(await admin.queueExists("refused"), false);
});

test("HTTP checklist 8: the second key works", async () => {
  const second = adminWith("RootManageSharedAccessKey", "second key of everything");
  const name = (await second.createQueue(fresh("second"))).name;
  assert.equal(await admin.queueExists(name), true);
});

test("HTTP checklist 7: Listen alone reads the namespace and lists rules, and changes nothing", async () => {
  const listener = adminWith("listener", "listen-key");
  assert.ok((await listener.getNamespaceProperties()).name);
  const topic = (await admin.createTopic(fresh("topic"))).name;
  await admin.createSubscription(topic, "s");
  assert.equal((await all(listener.listRules(topic, "s"))).length, 1);
  await assertFails(listener.createQueue("refused"), "UnauthorizedRequestError", 401, "40100");
  await assertFails(listener.deleteTopic(topic), "UnauthorizedRequestError", 401, "40100");
  await assertFails(all(listener.listQueues()), "UnauthorizedRequestError", 401, "40100");
});

test("HTTP checklist 10: an entity's rule of all rights administers that entity only", async () => {
  const name = (
    await admin.createQueue(fresh("guarded"), {
      authorizationRules: [rule("owner", ["Manage", "Send", "Listen"]), rule("sender", ["Send"])],
    })
  ).name;
  const other = (await admin.createQueue(fresh("other"))).name;
  for (const key of [KEY, OTHER_KEY]) {
    const owner = adminWith("owner", key);
    const queue = await owner.getQueue(name);
    queue.userMetadata = `changed with ${key}`;
    assert.equal((await owner.updateQueue(queue)).userMetadata, queue.userMetadata);
    await assertFails(owner.getQueue(other), "UnauthorizedRequestError", 401);
    await assertFails(owner.createQueue(fresh("refused")), "UnauthorizedRequestError", 401);
    await assertFails(owner.getNamespaceProperties(), "UnauthorizedRequestError", 401);
  }
  await assertFails(adminWith("sender", KEY).getQueue(name), "UnauthorizedRequestError", 401);
  await adminWith("owner", KEY).deleteQueue(name);
});

test("HTTP checklist 10: an entity's rule opens it over AMQP, and stops doing so once its key is changed", async () => {
  const queue = await admin.createQueue(fresh("rotated"), { authorizationRules: [rule("sender", ["Send"])] });
  const open = async (key) => {
    const client = new ServiceBusClient(
      process.env.SERVICEBUS_CONNECTION_STRING.replace(/SharedAccessKeyName=[^;]*/, "SharedAccessKeyName=sender").replace(
        /SharedAccessKey=[^;]*/,
        `SharedAccessKey=${key}`,
      ),
      { retryOptions: { maxRetries: 0, timeoutInMs: 10_000 } },
    );
    try {
      await client.createSender(queue.name).sendMessages({ body: "m" });
    } finally {
      await client.close();
    }
  };
  await open(KEY);
  const changed = await admin.getQueue(queue.name);
  changed.authorizationRules[0].primaryKey = "IAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
  await admin.updateQueue(changed);
  await assert.rejects(open(KEY), (e) => e.code === "UnauthorizedAccess");
  await open("IAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
  await open(OTHER_KEY);
});

test("HTTP 5.3: contradictory rules are rejected", async () => {
  await assertFails(
    admin.createQueue(fresh("bad"), { authorizationRules: [rule("m", ["Manage"])] }),
    "ServiceError",
    400,
    "SubCode=40000.",
  );
  await assertFails(
    admin.createQueue(fresh("bad"), { authorizationRules: [rule("r", ["Send"]), rule("r", ["Listen"])] }),
    "ServiceError",
    400,
    "SubCode=40000.",
  );
});
