import assert from 'node:assert/strict';
import { readFileSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { accessible, connectionString, fitsTheScreen, holdAnswers, logIn, open, picture, url } from './browser.mjs';

let session;
let page;
let worker;

before(async () => {
  session = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  page = session.page;
  page.setDefaultTimeout(10_000);
  await logIn(page);
});
after(async () => session?.close());

const dialog = () => page.getByRole('dialog');
const field = (name) => page.getByRole('textbox', { name, exact: true });
/** Returns the part of the form for a setting, with its help and its error. */
const setting = (name) => page.locator('.setting').filter({ has: page.locator('#setting-' + name) });
const visit = (place) => page.goto(url + '/console/#/' + place);

test('a queue is created, with a message at each field that is wrong', async () => {
  await visit('entities');
  await page.getByRole('link', { name: 'New', exact: true }).click();
  await field('Path').fill('shop returns');
  await setting('lockDuration').getByRole('textbox').fill('10 min');
  await setting('maxDeliveryCount').getByRole('textbox').fill('many');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Nothing was created. Correct the marked fields.').waitFor();
  await page.getByText(/no spaces/).waitFor();
  assert.match(await setting('lockDuration').innerText(), /exceeds the allowed maximum of PT5M/);
  assert.match(await setting('maxDeliveryCount').innerText(), /Expected a whole number of 32 bits in 'maxDeliveryCount', but got 'many'/);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-invalid')), 'true');
  await accessible(page);
  await picture(page, 'new-entity');
  await field('Path').fill('shop/returns');
  await setting('lockDuration').getByRole('textbox').fill('45 s');
  await setting('maxDeliveryCount').getByRole('textbox').fill('3');
  await page.getByLabel('Dead lettering on message expiration').check();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name: 'Clone' }).waitFor();
  assert.match(page.url(), /#\/settings\/shop%2Freturns$/);
  assert.equal(await setting('lockDuration').getByRole('textbox').inputValue(), 'PT45S');
});

test('settings are changed, wrong ones are marked, and nothing is lost', async () => {
  await visit('settings/orders');
  await setting('lockDuration').getByText('30 seconds').waitFor();
  assert.equal(await setting('userMetadata').getByRole('textbox').inputValue(), 'شكرا — of the shop');
  assert.ok(await page.getByLabel('Requires session').isDisabled());
  await setting('defaultMessageTimeToLive').getByRole('textbox').fill('soon');
  await setting('forwardTo').getByRole('combobox').fill('missing');
  await page.getByText('2 changes').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await setting('defaultMessageTimeToLive').getByText(/Expected an ISO 8601 duration/).waitFor();
  await setting('defaultMessageTimeToLive').getByRole('textbox').fill('14 d');
  await page.getByRole('button', { name: 'Save' }).click();
  await setting('forwardTo').getByText(/'missing' was not found/).waitFor();
  await accessible(page);
  await picture(page, 'settings');
  await setting('forwardTo').getByRole('combobox').fill('');
  await page.getByText('1 change', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('1 setting was changed.').waitFor();
  assert.equal(await setting('defaultMessageTimeToLive').getByRole('textbox').inputValue(), 'P14D');
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('It is disabled').waitFor();
  await page.locator('.bar .chip').getByText('Disabled').waitFor();
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByText('It is enabled.').waitFor();
});

test('a subscription is cloned with its settings and rules', async () => {
  await visit('settings/' + encodeURIComponent('events/Subscriptions/billing'));
  await page.getByRole('link', { name: 'Clone' }).click();
  await page.getByText('All settings and 2 rules are those of').waitFor();
  assert.equal(await page.getByLabel('Topic').inputValue(), 'events');
  assert.equal(await setting('maxDeliveryCount').getByRole('textbox').inputValue(), '4');
  await field('Name of the subscription').fill('copy');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText(/^subscription, created/).waitFor();
  assert.equal(await setting('maxDeliveryCount').getByRole('textbox').inputValue(), '4');
  const rules = await page.evaluate(async () => (await (await fetch('/$operator/v1/entities/events%2FSubscriptions%2Fcopy/rules')).json()).rules.map((each) => each.rule));
  assert.deepEqual(rules, ['blues', 'reds']);
});

test('an entity with messages is deleted only after its name was typed', async () => {
  await page.evaluate(async () => {
    const put = (path, body) => fetch('/$operator/v1' + path, { method: path.endsWith('messages') ? 'POST' : 'PUT', body: JSON.stringify(body) });
    await put('/entities/old', { kind: 'queue' });
    await put('/entities/old/messages', { messages: [{ body: 'x' }], count: 3 });
  });
  await visit('settings/old');
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog().getByText(/^3 messages/).waitFor();
  const remove = dialog().getByRole('button', { name: 'Delete' });
  assert.ok(await remove.isDisabled());
  await accessible(page);
  await picture(page, 'delete-entity');
  await dialog().getByRole('textbox').fill('old');
  await remove.click();
  await page.getByText('was deleted.').waitFor();
  assert.match(page.url(), /#\/entities/);
  await visit('settings/old');
  await page.getByRole('alert').getByText(/could not be found/).waitFor();
});

test('an access key is made, shown, copied and renewed, and it logs in', async () => {
  await visit('operations');
  const rules = page.getByRole('region', { name: 'Access rules' });
  await rules.getByRole('button', { name: 'New access rule' }).click();
  await rules.getByRole('textbox', { name: 'Name' }).fill('worker');
  await rules.getByRole('group', { name: 'Rights' }).getByLabel('Listen').uncheck();
  await rules.getByRole('button', { name: 'Create' }).click();
  await rules.getByText(/Expected an array with at least one of Listen/).waitFor();
  await rules.getByRole('group', { name: 'Rights' }).getByLabel('Listen').check();
  await rules.getByRole('button', { name: 'Create' }).click();
  const row = rules.getByRole('row').filter({ hasText: 'worker' });
  assert.equal(await rules.getByText('SharedAccessKey=').count(), 0);
  await row.getByRole('button', { name: 'Show keys' }).click();
  await rules.getByRole('button', { name: 'Copy the connection string with the primary key' }).click();
  await rules.getByText('The connection string was copied.').waitFor();
  worker = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(worker, /^Endpoint=sb:\/\/localhost:\d+;SharedAccessKeyName=worker;SharedAccessKey=.{44};UseDevelopmentEmulator=true;$/);
  await rules.getByLabel('worker may Send').check();
  await rules.getByText('worker may Listen, Send now.').waitFor();
  await page.route('**/accessRules/worker', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
  await rules.getByLabel('worker may Manage').click();
  await rules.getByRole('alert').waitFor();
  assert.equal(await rules.getByLabel('worker may Manage').isChecked(), false, 'a right that was not given');
  await rules.getByLabel('worker may Send').click();
  await rules.getByRole('alert').waitFor();
  assert.equal(await rules.getByLabel('worker may Send').isChecked(), true, 'a right that was not taken');
  await page.unroute('**/accessRules/worker');
  const other = await open();
  await logIn(other.page, worker);
  await other.page.getByTitle('worker: Send, Listen').waitFor();
  await row.getByRole('button', { name: 'Renew primary' }).click();
  await dialog().getByRole('button', { name: 'Renew the primary key' }).click();
  await rules.getByText('The primary key of worker is new.').waitFor();
  await other.page.reload();
  await other.page.getByRole('button', { name: 'Log in' }).waitFor();
  await other.close();
  await row.getByRole('button', { name: 'Hide keys' }).click();
  await row.getByRole('button', { name: 'Delete' }).click();
  await dialog().getByRole('button', { name: 'Delete the access rule' }).click();
  await rules.getByText('The access rule worker was deleted.').waitFor();
});

test('the page of operations shows clients, stores, the version and limits', async () => {
  await page.reload();
  const clients = page.getByRole('region', { name: 'Connected clients' });
  await clients.getByRole('row').filter({ hasText: 'payments' }).first().waitFor();
  assert.match(await clients.innerText(), /azure-messaging-servicebus/);
  assert.match(await page.getByRole('region', { name: 'Limits' }).innerText(), /Size of a message\s+262 kB/);
  await page.getByRole('region', { name: 'Stores' }).getByText('serving').waitFor();
  await accessible(page);
  await picture(page, 'operations');
  await clients.getByLabel('Entity of the clients').fill('letters');
  await clients.getByLabel('Entity of the clients').press('Enter');
  await clients.getByText('No AMQP client has a link to this entity.').waitFor();
});

test('a late answer about all clients does not replace that about the entity just typed', async () => {
  const clients = page.getByRole('region', { name: 'Connected clients' });
  const none = clients.getByText('No AMQP client has a link to this entity.');
  const late = await holdAnswers(page, /\/payments\/clients\?/);
  try {
    await clients.getByRole('button', { name: 'Show all' }).click();
    await late.asked();
    await clients.getByLabel('Entity of the clients').fill('letters');
    await clients.getByLabel('Entity of the clients').press('Enter');
    await none.waitFor();
  } finally {
    await late.release();
  }
  assert.ok(await none.isVisible());
  assert.equal(await clients.getByRole('row').count(), 0);
});

test('a message is sent with typed properties, and a mistake is shown at its field', async () => {
  await visit('send/letters');
  await field('Body').fill('{"order": 7');
  await page.getByText(/This is not JSON/).waitFor();
  await field('Body').fill('{"order": 7}');
  await field('Subject').fill('from the form');
  await field('Content type').fill('application/json');
  await page.getByRole('button', { name: 'Add a property' }).click();
  await page.getByLabel('Name of property 1').fill('amount');
  await page.getByLabel('Type of property 1').selectOption('long');
  await page.getByLabel('Value of property 1').fill('a lot');
  await page.getByRole('button', { name: 'Add a property' }).click();
  await page.getByLabel('Name of property 2').fill('urgent');
  await page.getByLabel('Type of property 2').selectOption('boolean');
  await page.getByLabel('Value of property 2').fill('true');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('region', { name: 'Application properties' }).getByText(/applicationProperties.amount/).waitFor();
  await page.getByLabel('Value of property 1').fill('250');
  await field('Time to live').fill('never ever');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('#wrong-timeToLive').waitFor();
  await field('Time to live').fill('2 d');
  await page.getByText('2 days').waitFor();
  await accessible(page);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('1 message was sent to letters.').waitFor();
  await picture(page, 'send');
});

test('a message is saved as a file, and a file with several is loaded and sent', async () => {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as a file' }).click();
  const saved = await saving;
  assert.equal(saved.suggestedFilename(), 'letters.json');
  const content = JSON.parse(readFileSync(await saved.path(), 'utf8'));
  assert.equal(content.messages[0].subject, 'from the form');
  assert.deepEqual(content.messages[0].applicationProperties.amount, { type: 'long', value: '250' });
  const file = join(mkdtempSync(join(tmpdir(), 'canned-')), 'two.json');
  writeFileSync(file, JSON.stringify([{ subject: 'first', body: '<a/>', contentType: 'application/xml' }, { subject: 'second', body: { type: 'data', base64: 'AAEC' } }]));
  await page.getByLabel('File of messages').setInputFiles(file);
  await page.getByLabel('Message of the file').selectOption({ label: '2: second' });
  assert.equal(await page.getByRole('button', { name: 'Base64' }).getAttribute('aria-pressed'), 'true');
  await page.getByRole('button', { name: 'Send all 2' }).click();
  await page.getByText('2 messages were sent to letters.').waitFor();
  writeFileSync(file, 'no JSON');
  await page.getByLabel('File of messages').setInputFiles(file);
  await page.getByRole('alert').getByText('two.json is not JSON').waitFor();
});

test('a dead letter is sent as a new message, and offered as a program', async () => {
  await visit('messages/orders?queue=deadLetter');
  await page.getByRole('table', { name: 'Messages' }).getByRole('link').first().click();
  await page.getByRole('button', { name: 'SDK snippet' }).click();
  await dialog().getByText('message.setSubject("order \\"one\\"");').waitFor();
  await accessible(page);
  await picture(page, 'snippet');
  for (const [language, part] of [['JavaScript', 'applicationProperties: {'], ['.NET', 'message.ApplicationProperties["amount"] = 10;'], ['Python', '"amount": 10,'], ['Go', '"amount": int32(10),']]) {
    await dialog().getByRole('button', { name: language, exact: true }).click();
    assert.ok((await dialog().getByLabel('Program').innerText()).includes(part), language);
  }
  await dialog().getByRole('button', { name: 'Copy' }).click();
  await dialog().getByText('The program was copied.').waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /azservicebus/);
  await dialog().getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Send as new' }).click();
  await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('1,5'));
  assert.equal(await field('Message id').inputValue(), '');
  assert.equal(await page.getByLabel('Name of property 1').inputValue(), 'amount');
  await field('Copies').fill('2');
  await page.getByRole('button', { name: 'Send 2 copies' }).click();
  await page.getByText('2 messages were sent to orders.').waitFor();
  await page.getByRole('link', { name: 'Show the messages' }).click();
  await page.getByRole('status').getByText(/^12 shown/).waitFor();
});

test('the pages fit a telephone, in both themes', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [place, text] of [['settings/orders', 'Lock duration'], ['send/letters', 'Canned messages'], ['operations', 'Connected clients'], ['new/subscription', 'Name of the subscription']]) {
    await visit(place);
    await page.getByText(text).first().waitFor();
    if (place === 'operations') {
      await page.getByRole('button', { name: 'Show keys' }).first().click();
      await page.getByText('Connection string').first().waitFor();
    }
    await fitsTheScreen(page);
    await picture(page, 'phone-' + place.split('/')[0]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('a reader sees settings, and no button that its rights forbid', async () => {
  const reader = await open();
  const { page: its } = reader;
  await logIn(its, connectionString.replace(/SharedAccessKeyName=[^;]*;SharedAccessKey=[^;]*/, 'SharedAccessKeyName=reader;SharedAccessKey=key-of-the-reader'));
  await its.goto(url + '/console/#/entities');
  await its.getByRole('link', { name: 'orders' }).waitFor();
  assert.equal(await its.getByRole('link', { name: 'New', exact: true }).count(), 0);
  await its.goto(url + '/console/#/settings/orders');
  await its.getByText('Changes need a key with the right to Manage.').waitFor();
  assert.equal(await its.getByRole('button', { name: /Delete|Disable|Save|access rule/ }).count(), 0);
  assert.equal(await its.getByRole('link', { name: /Clone|Send/ }).count(), 0);
  assert.ok(await its.locator('#setting-lockDuration').evaluate((each) => each.readOnly));
  await accessible(its);
  await its.goto(url + '/console/#/send/orders');
  await its.getByText('Sending needs a key with the right to Send.').waitFor();
  await its.goto(url + '/console/#/operations');
  await its.getByText('Access rules and clients need a key with the right to Manage.').waitFor();
  await reader.close();
});

test('a sender can send, and reads nothing', async () => {
  const sender = await open();
  const { page: its } = sender;
  await its.goto(url + '/');
  await its.getByLabel('Connection string').fill(connectionString.replace(/SharedAccessKeyName=[^;]*;SharedAccessKey=[^;]*/, 'SharedAccessKeyName=sender;SharedAccessKey=key-of-the-sender'));
  await its.getByRole('button', { name: 'Log in' }).click();
  await its.getByRole('button', { name: 'Log out' }).waitFor();
  await its.goto(url + '/console/#/send/payments');
  await its.getByRole('textbox', { name: 'Body' }).fill('{}');
  await its.getByRole('button', { name: 'Send', exact: true }).click();
  await its.getByText('1 message was sent to payments.').waitFor();
  assert.equal(await its.getByRole('link', { name: /Show/ }).count(), 0);
  await sender.close();
});
