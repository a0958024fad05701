import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { accessible, fitsTheScreen, open, picture, url } from './browser.mjs';

const provider = new URL(process.env.CONSOLE_PROVIDER).origin;
const API = '/$operator/v1';

let session;
let page;

// Each test has a browser of its own, without cookies.
beforeEach(async () => {
  session = await open({ provider });
  page = session.page;
  page.setDefaultTimeout(15_000);
});
afterEach(async () => session?.close());

const visit = (place) => page.goto(url + '/console/#/' + place);
const messages = () => page.getByRole('table', { name: 'Messages' });

/** Logs a user in at the provider, from the login page. */
async function logInAs(user) {
  await page.getByRole('button', { name: 'Log in with 127.0.0.1' }).click();
  await page.getByRole('heading', { name: 'Log in as' }).waitFor();
  assert.ok(page.url().startsWith(provider));
  await page.getByRole('link', { name: user }).click();
  await page.waitForURL(url + '/**');
}

/** Sends a request as the page would, so the server decides and not the buttons. */
function send(method, path, body) {
  return page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(path, { method, body: body === undefined ? null : JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
      return { status: response.status, text: await response.text() };
    },
    [method, API + path, body],
  );
}

async function refused(method, path, role, body) {
  const answer = await send(method, path, body);
  assert.equal(answer.status, 403, `${method} ${path}: ${answer.text}`);
  assert.match(answer.text, new RegExp(`the role '${role}'`));
}

test('a viewer sees entities and headers, comes back to the page of before, and gets no content from the server', async () => {
  await visit('messages/orders');
  await page.getByRole('button', { name: 'Log in with 127.0.0.1' }).waitFor();
  await page.getByLabel('Connection string').waitFor();
  await accessible(page);
  await fitsTheScreen(page);
  await picture(page, 'login-provider');
  await logInAs('vera');
  await messages().getByText('order-20').waitFor();
  assert.match(page.url(), /#\/messages\/orders$/);
  await page.getByText('You see the headers of messages.').waitFor();
  assert.equal(await page.getByLabel('Filter').count(), 0);
  assert.equal(await page.getByText('C-020').count(), 0);
  assert.deepEqual(await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link').allInnerTexts(), ['Overview', 'Entities', 'Topology', 'Dead letters', 'Operations']);
  await page.getByTitle('oidc:vera (vera-id): viewer').getByText('vera (viewer)').waitFor();
  await messages().getByRole('link').first().click();
  await page.getByText('Bodies and application properties need the role reader.').waitFor();
  for (const name of ['Edit and resend', 'Send as new', 'Delete', 'Move', 'SDK snippet']) {
    assert.equal(await page.getByRole('button', { name }).count() + (await page.getByRole('link', { name }).count()), 0, name);
  }
  await accessible(page);
  await picture(page, 'message-of-viewer');
  const found = await send('GET', '/entities/orders/messages?body=4096');
  assert.equal(found.status, 200);
  assert.doesNotMatch(found.text, /C-020|"eu"/);
  await refused('GET', "/entities/orders/messages?filter=region='eu'", 'reader');
  await refused('GET', '/entities/orders%2F$DeadLetterQueue/groups', 'reader');
  await refused('POST', '/entities/orders/messages/delete', 'operator', { sequenceNumbers: ['2'] });
  await refused('GET', '/audit', 'admin');
  await visit('overview');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await visit('entities');
  await page.getByRole('table', { name: 'Entities' }).getByText('orders').waitFor();
  await visit('dead-letters');
  await page.getByRole('link', { name: 'orders' }).click();
  await messages().getByText('order-1', { exact: true }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie);
  assert.doesNotMatch(kept, /eyJ/, 'no token is in the browser');
});

test('a reader sees bodies and searches, and changes nothing', async () => {
  await visit('');
  await logInAs('rita');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await visit('messages/orders');
  await page.getByLabel('Filter').fill("region = 'eu'");
  await page.keyboard.press('Enter');
  await messages().getByText('C-020').waitFor();
  await messages().getByRole('checkbox').nth(1).check();
  assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0);
  await visit('dead-letters/orders');
  await page.getByText('InvalidAmount').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Resubmit' }).count(), 0);
  await refused('POST', '/entities/orders/messages/delete', 'operator', { sequenceNumbers: ['2'] });
  await refused('POST', '/entities/orders/messages', 'operator', { messages: [{ body: 'x' }] });
  await refused('POST', '/entities/orders/jobs', 'operator', { operation: 'delete' });
});

test('an operator resubmits dead letters with a job, and changes no entity', async () => {
  await visit('dead-letters/orders');
  await logInAs('otto');
  await page.getByText('InvalidAmount').waitFor();
  await page.getByRole('button', { name: 'Note' }).click();
  await page.getByRole('dialog').getByLabel('Note').fill('BUG-123');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('oidc:otto (otto-id)').first().waitFor();
  await page.getByRole('button', { name: 'Resubmit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Count the messages' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resubmit', exact: false }).click();
  await page.getByRole('dialog').getByText(/done|Done|resubmitted/).first().waitFor();
  await visit('entities');
  await page.getByRole('table', { name: 'Entities' }).getByText('orders').waitFor();
  assert.equal(await page.getByRole('link', { name: 'New', exact: true }).count(), 0);
  await refused('PUT', '/entities/mine', 'admin', { kind: 'queue' });
  await refused('DELETE', '/entities/orders', 'admin');
  await refused('POST', '/accessRules/RootManageSharedAccessKey/keys', 'admin');
  await refused('GET', '/backups', 'admin');
});

test('an admin creates an entity, and sees the others in the audit trail', async () => {
  await visit('');
  await logInAs('adam');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.equal((await send('PUT', '/entities/mine', { kind: 'queue' })).status, 200);
  await page.getByRole('link', { name: 'Audit trail' }).click();
  await page.getByText('oidc:otto (otto-id)').first().waitFor();
  await page.getByText('oidc:vera (vera-id)').first().waitFor();
});

test('a canceled login and a user without a role come back to the login page with the reason', async () => {
  await visit('');
  await logInAs('Cancel');
  await page.getByRole('alert').getByText('it was canceled').waitFor();
  await accessible(page);
  await logInAs('nobody');
  await page.getByRole('alert').getByText('You have no role here.').waitFor();
  await picture(page, 'login-refused');
  await logInAs('rita');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('a logout ends the session here and at the provider, and the old cookie opens nothing', async () => {
  await visit('');
  await logInAs('rita');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const cookies = await session.context.cookies();
  assert.equal(cookies.length, 1);
  assert.equal(cookies[0].sameSite, 'Strict');
  const ended = page.waitForRequest((request) => request.url().startsWith(process.env.CONSOLE_PROVIDER + '/logout'));
  await page.getByRole('button', { name: 'Log out' }).click();
  await ended;
  await page.getByRole('button', { name: 'Log in with 127.0.0.1' }).waitFor();
  assert.deepEqual(await session.context.cookies(), []);
  await session.context.addCookies(cookies);
  assert.equal((await send('GET', '/entities')).status, 401);
});
