import { test } from "node:test";
import assert from "node:assert/strict";
import { admin, all } from "../support.mjs";

test("HTTP checklist 50: the rules of the Java client are readable", async () => {
  const rules = await all(admin.listRules("shared-rules", "s"));
  assert.deepEqual(
    rules.map((r) => r.name),
    ["$Default", "java-correlation", "java-false", "java-sql"],
  );
  const sql = await admin.getRule("shared-rules", "s", "java-sql");
  assert.equal(sql.filter.sqlExpression, "colour = @c");
  assert.deepEqual(sql.filter.sqlParameters, { "@c": "red" });
  assert.equal(sql.action.sqlExpression, "SET n = @n");
  assert.deepEqual(sql.action.sqlParameters, { "@n": "5" });
  const correlation = await admin.getRule("shared-rules", "s", "java-correlation");
  assert.equal(correlation.filter.correlationId, "c-1");
  assert.equal(correlation.filter.subject, "invoice");
  assert.deepEqual(correlation.filter.applicationProperties, { text: "red" });
  assert.equal((await admin.getRule("shared-rules", "s", "java-false")).filter.sqlExpression, "1=0");
});

test("HTTP checklist 50: writes rules for the others", async () => {
  await admin.createRule(
    "shared-rules",
    "s",
    "js-sql",
    { sqlExpression: "colour = @c", sqlParameters: { "@c": "red" } },
    { sqlExpression: "SET n = @n", sqlParameters: { "@n": 5 } },
  );
  await admin.createRule("shared-rules", "s", "js-correlation", {
    correlationId: "c-1",
    subject: "invoice",
    applicationProperties: { number: 7, flag: true, when: new Date("2026-11-20T10:00:00Z") },
  });
});
