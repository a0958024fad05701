import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, connectionString, logIn, open, picture, url } from './browser.mjs';

let session;
let page;

before(async () => {
  session = await open();
  page = session.page;
});
after(async () => session?.close());

const table = () => page.getByRole('table', { name: 'Messages' });
const rows = () => table().getByRole('row');

test('a browser that opens the server comes to the login, which refuses a wrong key', async () => {
  await page.goto(url + '/');
  await page.getByLabel('Connection string').fill('Endpoint=sb://localhost;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').getByText('the name or the key is wrong').waitFor();
  assert.equal(new URL(page.url()).pathname, '/console/');
  await accessible(page);
  await picture(page, 'login');
  await logIn(page);
  const cookies = await session.context.cookies();
  assert.equal(cookies.length, 1);
  assert.equal(cookies[0].httpOnly, true);
  assert.equal(cookies[0].sameSite, 'Strict');
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie);
  assert.ok(!kept.includes('a-key-for-the-tests'), 'the browser does not keep the key');
});

test('the entities show their counts, and a filter and an order stay in the address', async () => {
  await page.getByRole('link', { name: 'Entities', exact: true }).click();
  const entities = page.getByRole('table', { name: 'Entities' });
  const orders = entities.getByRole('row', { name: /^Q orders / });
  await orders.waitFor();
  assert.match((await orders.innerText()).replace(/\s+/g, ' '), /^Q orders 40 0 1 0 15 0 /);
  await accessible(page);
  await picture(page, 'entities');
  await page.keyboard.press('/');
  await page.keyboard.type('ord');
  await page.getByRole('button', { name: 'Active' }).click();
  await page.reload();
  assert.equal(await page.getByRole('searchbox').inputValue(), 'ord');
  assert.match(page.url(), /find=ord&sort=active/);
  assert.match(await entities.getByRole('row').nth(1).innerText(), /orders/);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await table().waitFor();
  assert.match(page.url(), /messages\/orders/);
});

test('a message is found by a property, and by its body', async () => {
  await page.goto(url + '/console/#/messages/orders');
  await table().getByText('order-20').waitFor();
  assert.equal(await rows().count() > 20, true);
  await page.keyboard.press('/');
  await page.keyboard.type("region = 'us' AND amount > 400");
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('11 found · scanned 41 of 41').waitFor();
  await page.getByText('Columns').click();
  await page.getByRole('checkbox', { name: 'amount' }).check();
  await page.getByText('Columns').click();
  await table().getByRole('columnheader', { name: 'amount' }).waitFor();
  await picture(page, 'messages');
  await accessible(page);
  await page.getByLabel('Filter').fill("json('$.lines[0].sku') = 'A-42'");
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('status').getByText('1 found').waitFor();
  await table().getByText('order-42').waitFor();
});

test('the offers of the filter line can be inserted as they are', async () => {
  const filter = page.getByLabel('Filter');
  for (const [typed, offer, expected] of [
    ['body', 'body CONTAINS', 'body CONTAINS '],
    ['js', "json('$.", "json('$."],
    ['region I', 'IS NULL', 'region IS NULL '],
    ['sys.M', 'sys.MessageId', 'sys.MessageId '],
  ]) {
    await filter.fill(typed);
    await page.getByRole('group', { name: 'Properties' }).getByRole('button', { name: offer, exact: true }).click();
    assert.equal(await filter.inputValue(), expected);
  }
  await page.getByRole('button', { name: 'Clear' }).click();
  await table().getByText('order-20').waitFor();
});

test('a filter that is wrong shows the place', async () => {
  await page.getByLabel('Filter').fill('amount > = 5');
  await page.keyboard.press('Enter');
  const alert = page.getByRole('alert');
  await alert.getByText('at line 1, column').waitFor();
  const where = await alert.locator('pre').innerText();
  assert.equal(where.split('\n')[1].indexOf('^'), 9);
  await picture(page, 'filter-error');
  await accessible(page);
  await page.getByRole('button', { name: 'Clear' }).click();
  await table().getByText('order-20').waitFor();
});

test('messages are selected with the keyboard, and copied after a question that names their number', async () => {
  await page.goto(url + '/console/#/messages/orders?state=active');
  await table().getByText('order-20').waitFor();
  for (const key of ['j', 'x', 'j', 'x']) {
    await page.keyboard.press(key);
  }
  await page.getByRole('status').getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Copy' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 messages').waitFor();
  await dialog.getByLabel('To').fill('payments');
  await accessible(page);
  await dialog.getByRole('button', { name: 'Copy 2' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.goto(url + '/console/#/messages/payments');
  await table().getByText('order-21').waitFor();
  assert.equal(await rows().count(), 3);
});

test('a scheduled message is delivered now', async () => {
  await page.goto(url + '/console/#/messages/orders?state=scheduled');
  await table().getByText('order-99').waitFor();
  await table().getByRole('checkbox', { name: /Select message/ }).check();
  await page.getByRole('button', { name: 'Deliver now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deliver 1' }).click();
  await page.getByText('There are no messages here.').waitFor();
});

test('a dead letter shows its reason, and its body keeps numbers that JavaScript would round', async () => {
  await page.goto(url + '/console/#/messages/orders?queue=deadLetter');
  await table().getByText('order-1', { exact: true }).waitFor();
  await picture(page, 'dead-letters-messages');
  await table().getByRole('link', { name: '1', exact: true }).click();
  await page.getByText('InvalidAmount').waitFor();
  await page.getByText('The amount of order 1 is not a number').waitFor();
  const body = page.getByRole('region', { name: 'Body' }).locator('pre');
  assert.match(await body.innerText(), /"id": 9007199254740991,\n/);
  assert.match(await page.getByRole('region', { name: 'Application properties' }).innerText(), /amount int\n+10/);
  await accessible(page);
  await picture(page, 'message');
  await page.getByRole('button', { name: 'Hex' }).click();
  assert.match(await body.innerText(), /^000000 {2}7b 22/);
});

test('a message is edited and sent again, and the original is gone', async () => {
  await page.getByRole('button', { name: 'Edit and resend' }).click();
  const body = page.getByRole('textbox', { name: 'Body' });
  await body.fill((await body.inputValue()).replace('1,5', '1.5'));
  // The SDK sends the properties in any order.
  const region = (await page.getByLabel('Name of property 1').inputValue()) === 'region' ? 1 : 2;
  await page.getByLabel(`Value of property ${region}`).fill('repaired');
  await page.getByRole('button', { name: 'Add a property' }).click();
  await page.getByLabel('Name of property 3').fill('fixed');
  await page.getByLabel('Type of property 3').selectOption('boolean');
  await page.getByLabel('Value of property 3').fill('true');
  await accessible(page);
  await picture(page, 'edit');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status').getByText('The changed message was sent to orders').waitFor();
  await page.goto(url + "/console/#/messages/orders?filter=" + encodeURIComponent("fixed = true AND region = 'repaired' AND amount = 10 AND json('$.order.amount') = '1.5'"));
  await page.getByRole('status').getByText('1 found').waitFor();
  await page.goto(url + '/console/#/messages/orders?queue=deadLetter');
  await page.getByRole('status').getByText('14 shown').waitFor();
});

test('other bodies are shown as XML, unpacked, and from right to left', async () => {
  const body = page.getByRole('region', { name: 'Body' }).locator('pre');
  await page.goto(url + '/console/#/message/orders/13?queue=deadLetter');
  await page.getByRole('button', { name: 'XML' }).waitFor();
  assert.match(await body.innerText(), /\n {2}<amount>7<\/amount>\n/);
  await page.goto(url + '/console/#/message/orders/15?queue=deadLetter');
  await page.getByText('unpacked from gzip').waitFor();
  assert.match(await body.innerText(), /"packed": true/);
  await page.goto(url + '/console/#/message/orders/14?queue=deadLetter');
  await page.getByText('thanks 🚚').waitFor();
  assert.equal(await body.evaluate((element) => getComputedStyle(element).direction), 'rtl');
  await picture(page, 'message-right-to-left');
});

test('the messages of a group of dead letters are shown, and resubmitted', async () => {
  await page.goto(url + '/console/#/dead-letters');
  await page.getByRole('link', { name: 'orders', exact: true }).click();
  await page.getByRole('link', { name: 'InvalidAmount' }).waitFor();
  await page.getByRole('button', { name: 'Note' }).first().click();
  await page.getByLabel('Note', { exact: true }).fill('BUG-123, on hold');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('BUG-123, on hold').waitFor();
  await picture(page, 'dead-letters');
  await accessible(page);
  await page.getByRole('link', { name: 'InvalidAmount' }).click();
  await page.getByRole('status').getByText('11 found').waitFor();
  await page.goBack();
  const group = page.getByRole('article').filter({ hasText: 'InvalidAmount' });
  await group.getByRole('button', { name: 'Resubmit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Canary' }).uncheck();
  await dialog.getByRole('button', { name: 'Count the messages' }).click();
  await dialog.getByRole('button', { name: 'Resubmit 11' }).click();
  await dialog.getByText('11 of 11 messages resubmitted').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await group.waitFor({ state: 'detached' });
  await page.getByRole('article').filter({ hasText: 'UnknownFormat' }).first().waitFor();
  await page.goto(url + '/console/#/messages/orders?filter=' + encodeURIComponent('[x-jitney-resubmitted] = 1'));
  await page.getByRole('status').getByText('11 found').waitFor();
});

test('messages are deleted after a question', async () => {
  await page.goto(url + '/console/#/messages/orders?queue=deadLetter');
  await table().getByText('order-13').waitFor();
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByText('You cannot get them back').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await rows().count(), 4);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 3' }).click();
  await page.getByText('There are no messages here.').waitFor();
  await picture(page, 'empty');
});

/** Sends a request of the operator API in the session of the page. */
const operator = (method, path, body) =>
  page.evaluate(
    async ([method, path, body]) => {
      const headers = { 'Content-Type': 'application/json' };
      const response = await fetch('/$operator/v1' + path, { method, headers, body: body === null ? null : JSON.stringify(body) });
      return response.json();
    },
    [method, path, body],
  );

test('a body keeps the ends of its lines when it is edited, and is edited in base64 if they differ', async () => {
  await operator('PUT', '/entities/lines', { kind: 'queue' });
  await operator('POST', '/entities/lines/messages', { messages: ['a\r\nb\r\n', 'a\rb', 'a\r\nb\nc'].map((body) => ({ body })) });
  for (const [number, expected, hint] of [[1, 'a\r\nb\r\nmore\r\n', 'CR LF'], [2, 'a\rbmore\r', 'CR']]) {
    await page.goto(url + `/console/#/message/lines/${number}`);
    await page.getByRole('button', { name: 'Edit and resend' }).click();
    await page.getByText(`The lines end with ${hint}, as before.`).waitFor();
    const field = page.getByRole('textbox', { name: 'Body' });
    await field.fill((await field.inputValue()) + 'more\n');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('status').getByText('The changed message was sent to lines').waitFor();
    assert.equal((await operator('GET', `/entities/lines/messages/${number + 3}`, null)).body, expected);
  }
  await page.goto(url + '/console/#/message/lines/3');
  await page.getByRole('button', { name: 'Edit and resend' }).click();
  await page.getByText('The lines of this body end in different ways').waitFor();
  const bytes = page.getByRole('textbox', { name: 'Body in base64' });
  assert.equal(Buffer.from(await bytes.inputValue(), 'base64').toString(), 'a\r\nb\nc');
  await bytes.fill(Buffer.from('a\r\nb\nd').toString('base64'));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status').getByText('The changed message was sent to lines').waitFor();
  assert.equal((await operator('GET', '/entities/lines/messages/6', null)).body, 'a\r\nb\nd');
  await page.goto(url + '/console/#/send/lines?from=4');
  await page.getByText('The lines end with CR LF, as before.').waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('1 message was sent to lines.').waitFor();
  assert.equal((await operator('GET', '/entities/lines/messages/7', null)).body, 'a\r\nb\r\nmore\r\n');
});

test('a failed request shows the reason', async () => {
  await page.goto(url + '/console/#/messages/no-such-queue');
  await page.getByRole('alert').getByText("could not be found").waitFor();
});

test('the keys are listed, and the dialog closes with Escape', async () => {
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Select the row').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a key that only listens gets no buttons for changes, and logging out ends the session', async () => {
  await page.getByRole('button', { name: 'Log out' }).click();
  await logIn(page, connectionString.replace(/SharedAccessKeyName=.*/, 'SharedAccessKeyName=reader;SharedAccessKey=key-of-the-reader'));
  await page.goto(url + '/console/#/messages/orders');
  await table().getByText('order-20').waitFor();
  await table().getByRole('checkbox', { name: /Select message/ }).first().check();
  await page.getByRole('status').getByText('1 selected').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0);
  await page.getByRole('link', { name: 'Audit trail' }).click();
  await page.getByRole('note').getByText('needs a key with the right to Manage. The key reader has Listen.').waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Connection string').waitFor();
  assert.deepEqual(await session.context.cookies(), []);
});

test('a telephone shows the pages without a scrollbar at the side', async () => {
  const phone = await open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await logIn(phone.page);
  const wide = () => phone.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  for (const [name, hash] of [['entities', 'entities'], ['messages', 'messages/orders'], ['message', 'message/orders/17']]) {
    await phone.page.goto(url + '/console/#/' + hash);
    await phone.page.getByText(name === 'message' ? 'order-21' : 'orders').first().waitFor({ state: 'attached' });
    await picture(phone.page, 'phone-' + name);
    assert.equal(await wide(), false, name);
  }
  await accessible(phone.page);
  await phone.close();
});
