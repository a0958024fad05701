import { test } from "node:test";
import assert from "node:assert/strict";
import { admin, all } from "../support.mjs";

test("HTTP checklist 50: the rules of the track 1 client are readable", async () => {
  const rules = new Map((await all(admin.listRules("shared-rules", "s"))).map((r) => [r.name, r]));
  assert.equal(rules.get("track1-plain").filter.sqlExpression, "colour = 'red'");
  assert.equal(rules.get("track1-plain").action.sqlExpression, "SET n = 5");
  assert.equal(rules.get("track1-correlation").filter.correlationId, "c-1");
  assert.equal(rules.get("track1-correlation").filter.subject, "invoice");
  assert.equal(rules.get("track1-false").filter.sqlExpression, "1=0");
});
