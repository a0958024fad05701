import { before, test } from "node:test";
import assert from "node:assert/strict";
import { admin, all, assertFails, fresh } from "./support.mjs";

const topic = fresh("topic");

before(async () => {
  await admin.createTopic(topic);
  await admin.createSubscription(topic, "s");
});

test("HTTP checklist 49: an SQL rule keeps its texts and the types of its parameters", async () => {
  const when = new Date("2026-11-20T10:00:00.500Z");
  const filter = {
    sqlExpression: "colour = @c AND n > @n AND flag = @f AND due < @d OR sys.Label LIKE '%<&>%'",
    sqlParameters: { "@c": "red", "@n": 5.5, "@f": true, "@d": when },
  };
  const action = { sqlExpression: "SET n = @n; REMOVE colour", sqlParameters: { "@n": 6 } };
  await admin.createRule(topic, "s", "sql", filter, action);
  const rule = await admin.getRule(topic, "s", "sql");
  assert.equal(rule.filter.sqlExpression, filter.sqlExpression);
  assert.deepEqual(rule.filter.sqlParameters, filter.sqlParameters);
  assert.equal(rule.action.sqlExpression, action.sqlExpression);
  assert.deepEqual(rule.action.sqlParameters, action.sqlParameters);
});

test("HTTP checklist 49: a correlation rule keeps its conditions and the types of its properties", async () => {
  const filter = {
    correlationId: "c-1",
    messageId: "m",
    to: "to",
    replyTo: "reply",
    subject: "label",
    sessionId: "session",
    replyToSessionId: "reply-session",
    contentType: "text/plain",
    applicationProperties: {
      text: "red",
      number: 7,
      flag: false,
      when: new Date("2026-11-20T10:00:00.000Z"),
    },
  };
  await admin.createRule(topic, "s", "correlation", filter);
  const rule = await admin.getRule(topic, "s", "correlation");
  assert.deepEqual({ ...rule.filter }, filter);
});

test("HTTP checklist 48: an update may change the kind of filter", async () => {
  await admin.createRule(topic, "s", "changing", { sqlExpression: "a = 1" }, { sqlExpression: "SET a = 2" });
  const rule = await admin.getRule(topic, "s", "changing");
  rule.filter = { correlationId: "c" };
  rule.action = {};
  await admin.updateRule(topic, "s", rule);
  const changed = await admin.getRule(topic, "s", "changing");
  assert.equal(changed.filter.correlationId, "c");
  assert.equal(changed.filter.sqlExpression, undefined);
  assert.equal(changed.action.sqlExpression, undefined);
});

test("HTTP 2.7: the default rule, and a rule that selects all messages", async () => {
  assert.equal((await admin.getRule(topic, "s", "$Default")).filter.sqlExpression, "1=1");
  await admin.createRule(topic, "s", "all", { sqlExpression: "1=1" });
  assert.equal((await admin.getRule(topic, "s", "all")).filter.sqlExpression, "1=1");
});

test("HTTP 2.10: errors of rules", async () => {
  assert.equal(await admin.ruleExists(topic, "s", "r"), false);
  await admin.createRule(topic, "s", "r", { sqlExpression: "a = 1" });
  assert.equal(await admin.ruleExists(topic, "s", "r"), true);
  await assertFails(
    admin.createRule(topic, "s", "r", { sqlExpression: "a = 1" }),
    "MessageEntityAlreadyExistsError",
    409,
    "The messaging entity '",
  );
  const rule = await admin.getRule(topic, "s", "r");
  await admin.deleteRule(topic, "s", "r");
  await assertFails(admin.getRule(topic, "s", "r"), "MessageEntityNotFoundError", 404, "Entity '");
  await assertFails(admin.deleteRule(topic, "s", "r"), "MessageEntityNotFoundError", 404, "No service");
  await assertFails(admin.updateRule(topic, "s", rule), "MessageEntityNotFoundError", 404, "Entity '");
  await assertFails(admin.createRule(topic, "s", "bad", { sqlExpression: "colour = = 'red'" }), "ServiceError", 400);
  await assertFails(
    admin.createRule(topic, "s", "long", { sqlExpression: `a = '${"x".repeat(1019)}'` }),
    "ServiceError",
    400,
  );
});

test("HTTP checklist 56: 120 rules are listed completely and once", async () => {
  await admin.createSubscription(topic, "many");
  const names = Array.from({ length: 120 }, (_, i) => `r-${i}`);
  for (const name of names) {
    await admin.createRule(topic, "many", name, { correlationId: name });
  }
  const listed = (await all(admin.listRules(topic, "many"))).map((r) => r.name);
  assert.deepEqual(listed, ["$Default", ...names].sort());
});
