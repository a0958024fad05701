import { test } from "node:test";
import assert from "node:assert/strict";
import { ServiceBusAdministrationClient, ServiceBusClient } from "@azure/service-bus";

const host = process.env.SERVICEBUS_HOST;
const endpoint = process.env.SERVICEBUS_ENDPOINT;
const queue = process.env.SERVICEBUS_QUEUE;

/** A credential of a program whose tokens come from an identity provider (OAuth 2.0, client credentials). */
function credential(roles) {
  return {
    async getToken() {
      const body = new URLSearchParams({ grant_type: "client_credentials", client_id: "worker", roles });
      const answer = await fetch(process.env.TOKEN_URI, { method: "POST", body });
      const { access_token: token, expires_in: seconds } = await answer.json();
      return { token, expiresOnTimestamp: Date.now() + seconds * 1000 };
    },
  };
}

function client(roles) {
  return new ServiceBusClient(host, credential(roles), {
    customEndpointAddress: endpoint,
    retryOptions: { maxRetries: 1, retryDelayInMs: 100 },
  });
}

test("a token with the role of an owner sends and receives", async () => {
  const owner = client("Azure Service Bus Data Owner");
  try {
    await owner.createSender(queue).sendMessages({ body: "with a token" });
    const [message] = await owner.createReceiver(queue, { receiveMode: "receiveAndDelete" }).receiveMessages(1);
    assert.equal(message.body, "with a token");
  } finally {
    await owner.close();
  }
});

test("a token without a role is unauthorized", async () => {
  const nobody = client("Reader");
  try {
    await assert.rejects(nobody.createSender(queue).sendMessages({ body: "refused" }), (e) => (e.errors ?? [e]).every((error) => error.code === "UnauthorizedAccess")); // one error per attempt
  } finally {
    await nobody.close();
  }
});

test("the administration client creates and deletes a queue with the role of an owner", async () => {
  const admin = new ServiceBusAdministrationClient(process.env.SERVICEBUS_ADMIN_HOST, credential("Azure Service Bus Data Owner"));
  await admin.createQueue("js-identity");
  assert.equal((await admin.getQueue("js-identity")).name, "js-identity");
  await admin.deleteQueue("js-identity");
  const nobody = new ServiceBusAdministrationClient(process.env.SERVICEBUS_ADMIN_HOST, credential("Reader"));
  await assert.rejects(nobody.createQueue("js-refused"), (error) => error.statusCode === 401 || error.code === "UnauthorizedRequestError");
});
