import { test } from "node:test";
import assert from "node:assert/strict";
import { admin, assertNone, freshTopic, inOrder, next, sharedClient } from "./support.mjs";

const shared = sharedClient();

/** Creates a topic with one subscription, and returns the rule manager. */
async function managed() {
  const topic = await freshTopic();
  await admin.createSubscription(topic, "s");
  const manager = shared.client.createRuleManager(topic, "s");
  return { topic, manager, receiver: shared.client.createReceiver(topic, "s") };
}

async function all(rules) {
  const found = [];
  for await (const rule of rules) {
    found.push(rule);
  }
  return found;
}

async function names(manager) {
  return (await all(manager.listRules())).map((rule) => rule.name).sort();
}

test("RULE-1: a new subscription has the rule $Default, which selects all messages", async () => {
  const { manager } = await managed();
  const rules = await all(manager.listRules());
  assert.equal(rules.length, 1);
  assert.equal(rules[0].name, "$Default");
  assert.equal(rules[0].filter.sqlExpression, "1=1");
  assert.deepEqual(rules[0].action, {});
});

test("RULE-2: a rule with an SQL filter and an action is created, listed, and seen by administration", async () => {
  const { topic, manager } = await managed();
  await manager.createRule("big", { sqlExpression: "amount > 1000" }, { sqlExpression: "SET size = 'big'" });
  const big = (await all(manager.listRules())).find((rule) => rule.name === "big");
  assert.equal(big.filter.sqlExpression, "amount > 1000");
  assert.equal(big.action.sqlExpression, "SET size = 'big'");
  const same = await admin.getRule(topic, "s", "big");
  assert.equal(same.filter.sqlExpression, "amount > 1000");
  assert.equal(same.action.sqlExpression, "SET size = 'big'");
});

test("FILTER-26: a rule with a correlation filter keeps every condition", async () => {
  const { manager } = await managed();
  const filter = {
    correlationId: "c",
    messageId: "m",
    to: "to",
    replyTo: "reply",
    subject: "label",
    sessionId: "session",
    replyToSessionId: "reply-session",
    contentType: "text/plain",
    applicationProperties: { text: "red", number: 7, half: 0.5, flag: false },
  };
  await manager.createRule("exact", filter);
  const exact = (await all(manager.listRules())).find((rule) => rule.name === "exact");
  assert.deepEqual({ ...exact.filter }, filter);
});

test("Rules made by administration are listed by the rule manager", async () => {
  const { topic, manager } = await managed();
  await admin.createRule(topic, "s", "sql", { sqlExpression: "a = 1" });
  await admin.createRule(topic, "s", "correlation", { correlationId: "c" });
  await admin.createRule(topic, "s", "none", { sqlExpression: "1=0" });
  assert.deepEqual(await names(manager), ["$Default", "correlation", "none", "sql"]);
});

test("RULE-2: a second rule of the same name is rejected, regardless of case", async () => {
  const { manager } = await managed();
  await manager.createRule("one", { sqlExpression: "a = 1" });
  for (const name of ["one", "ONE", "$default"]) {
    await assert.rejects(
      manager.createRule(name, { correlationId: "c" }),
      (e) => e.code === "MessagingEntityAlreadyExists",
    );
  }
  assert.deepEqual(await names(manager), ["$Default", "one"]);
});

test("RULE-2: a missing rule cannot be deleted", async () => {
  const { manager } = await managed();
  await assert.rejects(manager.deleteRule("nobody"), (e) => e.code === "MessagingEntityNotFound");
  await manager.createRule("one", { sqlExpression: "a = 1" });
  await manager.deleteRule("ONE");
  await assert.rejects(manager.deleteRule("one"), (e) => e.code === "MessagingEntityNotFound");
  assert.deepEqual(await names(manager), ["$Default"]);
});

test("FILTER-2, FILTER-23: an invalid rule is rejected at its creation and not stored", async () => {
  const { manager } = await managed();
  const wrong = [
    ["a = = 1"],
    ["foo(1) = 1"],
    ["sys.Nope = 1"],
    ["a = 9223372036854775808"],
    ["begin = 1"],
    [`a = '${"x".repeat(1020)}'`],
    ["(".repeat(500) + "a" + ")".repeat(500) + " = 1"],
    ["a = 1", "SET sys.SequenceNumber = 1"],
    ["a = 1", "REMOVE sys.Label"],
    ["a = 1", "SET"],
  ];
  for (const [filter, action] of wrong) {
    const rule = [{ sqlExpression: filter }, ...(action ? [{ sqlExpression: action }] : [])];
    await assert.rejects(manager.createRule("wrong", ...rule), (e) => e.retryable === false, `${filter} ${action}`);
  }
  assert.deepEqual(await names(manager), ["$Default"]);
});

test("FILTER-2: the text of the rejection contains the position", async () => {
  const { manager } = await managed();
  await assert.rejects(manager.createRule("wrong", { sqlExpression: "amount > > 5" }), (e) => {
    assert.match(e.message, /1/);
    assert.match(e.message, />/);
    return true;
  });
});

test("RULE-3, RULE-11: rules apply from their creation until their deletion, and not to older messages", async () => {
  const { topic, manager, receiver } = await managed();
  const sender = shared.client.createSender(topic);
  await sender.sendMessages(inOrder({ body: "by default" }));
  await manager.deleteRule("$Default");
  await sender.sendMessages(inOrder({ body: "without any rule", applicationProperties: { a: 1 } }));
  await manager.createRule("ones", { sqlExpression: "a = 1" });
  await sender.sendMessages([
    inOrder({ body: "one", applicationProperties: { a: 1 } }),
    inOrder({ body: "two", applicationProperties: { a: 2 } }),
  ]);
  await manager.deleteRule("ones");
  await sender.sendMessages(inOrder({ body: "too late", applicationProperties: { a: 1 } }));
  for (const body of ["by default", "one"]) {
    const message = await next(receiver);
    assert.equal(message.body, body);
    await receiver.completeMessage(message);
  }
  await assertNone(receiver);
});

test("Hundreds of rules are listed in pages, each once", async () => {
  const { manager } = await managed();
  const expected = ["$Default"];
  for (let i = 0; i < 130; i++) {
    const name = `r-${String(i).padStart(3, "0")}`;
    expected.push(name);
    await manager.createRule(name, { correlationId: name });
  }
  assert.deepEqual(await names(manager), expected);
  const pages = [];
  for await (const page of manager.listRules().byPage({ maxPageSize: 50 })) {
    pages.push(page.map((rule) => rule.name));
  }
  assert.deepEqual(
    pages.map((page) => page.length),
    [50, 50, 31],
  );
  assert.deepEqual(pages.flat().sort(), expected);
});

test("A missing subscription has no rules to manage", async () => {
  const topic = await freshTopic();
  const manager = shared.client.createRuleManager(topic, "nobody");
  await assert.rejects(all(manager.listRules()), (e) => e.code === "MessagingEntityNotFound");
  await assert.rejects(
    manager.createRule("r", { sqlExpression: "a = 1" }),
    (e) => e.code === "MessagingEntityNotFound",
  );
});
