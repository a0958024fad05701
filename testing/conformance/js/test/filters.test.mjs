import { test } from "node:test";
import assert from "node:assert/strict";
import { admin, freshTopic, next, sharedClient } from "./support.mjs";

const shared = sharedClient();
const deadLetter = { subQueueType: "deadLetter" };

/** Creates a subscription for each rule, with only that rule. */
async function subscriptions(topic, rules) {
  for (const [name, filter, action] of rules) {
    await admin.createSubscription(topic, name, {
      defaultRuleOptions: {
        name: "rule",
        filter: typeof filter === "string" ? { sqlExpression: filter } : filter,
        ...(action ? { action: { sqlExpression: action } } : {}),
      },
    });
  }
}

/** Returns the subscriptions that have received the message. */
async function verdict(topic, name) {
  const count = await admin.getSubscriptionRuntimeProperties(topic, name);
  assert.ok(count.totalMessageCount <= 1);
  return count.activeMessageCount ? "taken" : count.deadLetterMessageCount ? "error" : "none";
}

// Semantics 15.2, golden cases: the message, and its result for each filter.
const golden = {
  body: "golden",
  applicationProperties: { a: 1, d: 2.5, s: "Abc", b: true, n: null },
};
const goldenCases = [
  ["A = 1", "taken"],
  ["s = 'abc'", "none"],
  ["m = 1", "none"],
  ["NOT (m = 1)", "none"],
  ["m IS NULL", "taken"],
  ["n IS NULL", "taken"],
  ["EXISTS(n)", "taken"],
  ["EXISTS(m)", "none"],
  ["m = 1 OR a = 1", "taken"],
  ["NOT (m = 1 AND a = 2)", "taken"],
  ["a IN (1, 2)", "taken"],
  ["m NOT IN (1, 2)", "none"],
  ["s LIKE '_b%'", "taken"],
  ["s LIKE 'Ab'", "none"],
  ["m LIKE 'A%'", "none"],
  ["a LIKE '1'", "error"],
  ["a + d = 3.5", "taken"],
  ["a / 2 = 0", "taken"],
  ["a / 0 = 1", "error"],
  ["a = '1'", "error"],
  ["s + 'd' = 'Abcd'", "taken"],
  ["a = 1.0", "taken"],
  ["sys.Label = 'x'", "none"],
  ["sys.Label IS NULL", "taken"],
  ["p('a') = 1", "taken"],
  ['[a] = 1 AND "a" = 1', "taken"],
  ["n > 1", "none"],
  ["n = NULL", "taken"],
  ["[begin] IS NULL", "taken"],
  ["b", "taken"],
  ["a", "error"],
  ["property('m') = 1", "none"],
];

test("Semantics 15.2: the golden cases, each in its own subscription", async () => {
  const topic = await freshTopic();
  await subscriptions(
    topic,
    goldenCases.map(([filter], i) => [`case-${i}`, filter]),
  );
  await shared.client.createSender(topic).sendMessages(golden);
  for (const [i, [filter, expected]] of goldenCases.entries()) {
    assert.equal(await verdict(topic, `case-${i}`), expected, filter);
  }
  for (const filter of ["a = 9223372036854775808", "sys.Nope = 1", "begin = 1", "foo(1) = 1"]) {
    await assert.rejects(subscriptions(topic, [["refused", filter]]), (e) => e.statusCode === 400, filter);
  }
});

test("FILTER-6: SQL filters read the properties of the broker", async () => {
  const topic = await freshTopic();
  const cases = [
    ["sys.Label = 'new' AND sys.MessageId = 'm1'", "taken"],
    ["sys.CorrelationId LIKE 'c-%'", "taken"],
    ["sys.To IS NULL AND sys.ReplyTo = 'answers'", "taken"],
    ["sys.ContentType = 'text/plain'", "taken"],
    ["sys.SequenceNumber >= 1", "taken"],
    ["user.Label = 'new'", "none"],
    ["sys.Label = 'NEW'", "none"],
  ];
  await subscriptions(
    topic,
    cases.map(([filter], i) => [`case-${i}`, filter]),
  );
  await shared.client.createSender(topic).sendMessages({
    body: "x",
    messageId: "m1",
    subject: "new",
    correlationId: "c-1",
    replyTo: "answers",
    contentType: "text/plain",
  });
  for (const [i, [filter, expected]] of cases.entries()) {
    assert.equal(await verdict(topic, `case-${i}`), expected, filter);
  }
});

test("FILTER-26, FILTER-27: correlation filters need every condition to be equal, and never fail", async () => {
  const topic = await freshTopic();
  const cases = [
    [{ subject: "new" }, "taken"],
    [{ subject: "New" }, "none"],
    [{ subject: "new", applicationProperties: { color: "red" } }, "taken"],
    [{ subject: "new", applicationProperties: { color: "blue" } }, "none"],
    [{ correlationId: "c", messageId: "m", contentType: "text/plain", replyTo: "r", to: "t" }, "taken"],
    [{ correlationId: "c", messageId: "other" }, "none"],
    // This client writes every number as a double, but the sent number is an integer.
    [{ applicationProperties: { number: 7 } }, "none"],
    [{ applicationProperties: { half: 2.5 } }, "taken"],
    [{ applicationProperties: { number: "7" } }, "none"],
    [{ applicationProperties: { flag: true } }, "taken"],
    [{ applicationProperties: { missing: true } }, "none"],
    [{ sessionId: "s" }, "none"],
  ];
  await subscriptions(
    topic,
    cases.map(([filter], i) => [`case-${i}`, filter]),
  );
  await shared.client.createSender(topic).sendMessages({
    body: "x",
    messageId: "m",
    subject: "new",
    correlationId: "c",
    contentType: "text/plain",
    to: "t",
    replyTo: "r",
    applicationProperties: { color: "red", number: 7, half: 2.5, flag: true },
  });
  for (const [i, [filter, expected]] of cases.entries()) {
    assert.equal(await verdict(topic, `case-${i}`), expected, JSON.stringify(filter));
  }
});

test("FILTER-27: whole numbers compare by value, as the rule manager writes them", async () => {
  const topic = await freshTopic();
  await subscriptions(topic, [
    ["same", "1=0"],
    ["other", "1=0"],
  ]);
  await shared.client.createRuleManager(topic, "same").createRule("n", { applicationProperties: { number: 7 } });
  await shared.client.createRuleManager(topic, "other").createRule("n", { applicationProperties: { number: 8 } });
  await shared.client.createSender(topic).sendMessages({ body: "x", applicationProperties: { number: 7 } });
  assert.equal(await verdict(topic, "same"), "taken");
  assert.equal(await verdict(topic, "other"), "none");
});

test("RULE-4: several matching rules without an action give one copy, without a rule name", async () => {
  const topic = await freshTopic();
  await subscriptions(topic, [["s", "a = 1"]]);
  const manager = shared.client.createRuleManager(topic, "s");
  await manager.createRule("second", { sqlExpression: "a > 0" });
  await manager.createRule("third", { applicationProperties: { a: 1 } });
  await shared.client.createSender(topic).sendMessages({ body: "x", applicationProperties: { a: 1 } });
  const copies = await shared.client.createReceiver(topic, "s").peekMessages(10);
  assert.equal(copies.length, 1);
  assert.deepEqual(copies[0].applicationProperties, { a: 1 });
});

test("SCN-7, RULE-5, RULE-6: a copy for each matching action with the name of its rule, one for all the others", async () => {
  const topic = await freshTopic();
  await subscriptions(topic, [["s", "a = 1"]]);
  const manager = shared.client.createRuleManager(topic, "s");
  await manager.createRule("p2", { sqlExpression: "a = 1" });
  await manager.createRule("p3", { sqlExpression: "a < 5" });
  await manager.createRule("r1", { sqlExpression: "a = 1" }, { sqlExpression: "SET x = 1" });
  await manager.createRule("r2", { sqlExpression: "a = 1" }, { sqlExpression: "SET x = 2; SET a = a + 1" });
  await manager.createRule("r3", { sqlExpression: "a = 2" }, { sqlExpression: "SET x = 3" });
  await shared.client.createSender(topic).sendMessages({ body: "x", applicationProperties: { a: 1 } });
  const peeked = await shared.client.createReceiver(topic, "s").peekMessages(10);
  const copies = peeked.map((m) => m.applicationProperties);
  copies.sort((one, other) => (one.x ?? 0) - (other.x ?? 0));
  assert.deepEqual(copies, [
    { a: 1 },
    { a: 1, x: 1, RuleName: "r1" },
    { a: 2, x: 2, RuleName: "r2" },
  ]);
});

test("RULE-7 to 10: actions change a copy, and other subscriptions do not see the changes", async () => {
  const topic = await freshTopic();
  const actions = [
    ["SET size = 'large'", (m) => m.applicationProperties.size, "large"],
    ["SET quantity = '42'", (m) => m.applicationProperties.quantity, 42],
    ["SET color = color + '!'; SET color = color + '!'", (m) => m.applicationProperties.color, "Red!!"],
    ["SET total = quantity * price", (m) => m.applicationProperties.total, 114],
    ["SET COLOR = NULL", (m) => m.applicationProperties.color, null],
    ["REMOVE color; REMOVE nothing", (m) => "color" in m.applicationProperties, false],
    ["SET sys.Label = 'copy' SET sys.To = 'Entity'", (m) => `${m.subject} ${m.to}`, "copy Entity"],
    ["SET sys.TimeToLive = '00:10:00'", (m) => m.timeToLive, 600_000],
    ["SET sys.MessageId = 'id-' + color", (m) => m.messageId, "id-Red"],
  ];
  await subscriptions(topic, [
    ["original", "1=1"],
    ...actions.map(([action], i) => [`action-${i}`, "1=1", action]),
    ["fails", "1=1", "SET quantity = 'many'"],
  ]);
  await shared.client.createSender(topic).sendMessages({
    body: "x",
    messageId: "m",
    subject: "new",
    applicationProperties: { quantity: 12, price: 9.5, color: "Red" },
  });
  for (const [i, [action, property, expected]] of actions.entries()) {
    const copy = await next(shared.client.createReceiver(topic, `action-${i}`));
    assert.equal(copy.body, "x");
    assert.deepEqual(property(copy), expected, action);
    assert.equal(copy.applicationProperties.RuleName, "rule");
  }
  assert.equal(await verdict(topic, "fails"), "error");
  const original = await next(shared.client.createReceiver(topic, "original"));
  assert.deepEqual(original.applicationProperties, { quantity: 12, price: 9.5, color: "Red" });
  assert.equal(original.subject, "new");
  assert.equal(original.messageId, "m");
});

test("SCN-8, DLQ-15, DLQ-25: a filter that fails dead-letters the message only in its own subscription, with the reason", async () => {
  const topic = await freshTopic();
  await subscriptions(topic, [
    ["s", "a + 1 = 2"],
    ["s2", "1=1"],
  ]);
  await admin.createSubscription(topic, "careless", {
    deadLetteringOnFilterEvaluationExceptions: false,
    defaultRuleOptions: { name: "rule", filter: { sqlExpression: "a + 1 = 2" } },
  });
  await shared.client.createSender(topic).sendMessages({ body: "x", applicationProperties: { a: "1" } });
  const dead = await next(shared.client.createReceiver(topic, "s", deadLetter));
  assert.equal(dead.body, "x");
  assert.equal(dead.applicationProperties.a, "1");
  assert.match(dead.deadLetterReason, /Exception$/);
  assert.ok(dead.deadLetterErrorDescription.length > 10);
  assert.equal(await verdict(topic, "s2"), "taken");
  assert.equal(await verdict(topic, "careless"), "none");
});

test("DLQ-25: besides a rule that fails, other rules give their copies, and there is one dead-letter message", async () => {
  const topic = await freshTopic();
  await subscriptions(topic, [
    ["plain", "a + 1 = 2"],
    ["changed", "a + 1 = 2"],
    ["both", "a + 1 = 2"],
  ]);
  const changed = shared.client.createRuleManager(topic, "changed");
  await changed.createRule("good", { sqlExpression: "1=1" }, { sqlExpression: "SET x = 1" });
  await changed.createRule("bad", { sqlExpression: "1=1" }, { sqlExpression: "SET a = a + 1; SET b = b / 0" });
  await shared.client.createRuleManager(topic, "plain").createRule("all", { sqlExpression: "1=1" });
  const both = shared.client.createRuleManager(topic, "both");
  await both.createRule("all", { sqlExpression: "1=1" });
  await both.createRule("good", { sqlExpression: "1=1" }, { sqlExpression: "SET x = 1" });
  await shared.client.createSender(topic).sendMessages({ body: "x", applicationProperties: { a: "1", b: 1 } });

  const there = async (name, options) => {
    const peeked = await shared.client.createReceiver(topic, name, options).peekMessages(10);
    return peeked.map((m) => m.applicationProperties);
  };
  const original = { a: "1", b: 1 };
  const good = { ...original, x: 1, RuleName: "good" };
  assert.deepEqual(await there("plain"), [original]);
  assert.deepEqual(await there("changed"), [good]);
  for (const name of ["plain", "changed", "both"]) {
    const [dead, ...more] = await there(name, deadLetter);
    assert.deepEqual(more, []);
    assert.equal(dead.a, "1");
    assert.equal(dead.RuleName, undefined);
    assert.ok(dead.DeadLetterReason);
  }
  const copies = await there("both");
  assert.deepEqual(
    copies.sort((one, other) => (one.x ?? 0) - (other.x ?? 0)),
    [original, good],
  );
});
