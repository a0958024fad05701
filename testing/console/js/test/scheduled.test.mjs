import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, fitsTheScreen, logIn, open, picture, url } from './browser.mjs';

let session;
let page;

before(async () => {
  session = await open();
  page = session.page;
  page.setDefaultTimeout(10_000);
  await logIn(page);
});
after(async () => session?.close());

const dialog = () => page.getByRole('dialog');
const table = () => page.getByRole('table', { name: 'Scheduled messages' });
const bars = () => page.getByRole('group', { name: /^Scheduled messages by/ }).getByRole('button');
const bar = (count) => page.getByRole('button', { name: new RegExp(`: ${count} messages?$`) });
const status = (text) => page.getByRole('status').getByText(text);

test('a queue has a page with its scheduled messages by day, and says how many were read', async () => {
  await page.goto(url + '/console/#/messages/reminders');
  await page.getByRole('navigation', { name: 'Pages of the entity' }).getByRole('link', { name: 'Scheduled' }).click();
  await status('344 of 344 read').waitFor();
  assert.equal(await page.getByRole('button', { name: 'By day' }).getAttribute('aria-pressed'), 'true');
  const names = await bars().evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
  assert.ok(names.length === 21 || names.length === 20, names.join());
  assert.equal(names.reduce((sum, each) => sum + Number(/: (\d+) /.exec(each)[1]), 0), 344);
  assert.match(names.at(-1), /^\d{4}-\d\d-\d\d: 1 message$/);
  await picture(page, 'scheduled-days');
});

test('the bars of hours have the messages, the last one all later ones, and the keyboard goes from bar to bar', async () => {
  await page.getByRole('button', { name: 'By hour' }).click();
  assert.equal(await bars().count(), 72);
  await bar(300).waitFor();
  await page.getByRole('button', { name: /and later: 1 message$/ }).waitFor();
  await bar(300).focus();
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press('ArrowRight');
  }
  await page.keyboard.press('Enter');
  assert.equal(await bar(40).getAttribute('aria-pressed'), 'true');
  await page.getByText(/^40 messages in \d{4}-\d\d-\d\d \d\d:00$/).waitFor();
  await table().getByText('{"reminder": "1 of 40"}').waitFor();
  assert.equal(await table().getByText('of 300').count(), 0);
  await accessible(page);
  await picture(page, 'scheduled');
  await page.reload();
  await page.getByText(/^40 messages in/).waitFor();
});

test('chosen messages are delivered now', async () => {
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await status('2 selected').waitFor();
  await page.getByRole('button', { name: 'Deliver now' }).click();
  await dialog().getByText('2 messages').waitFor();
  await dialog().getByRole('button', { name: 'Deliver 2' }).click();
  await status('342 of 342 read').waitFor();
  await page.getByText(/^38 messages in/).waitFor();
});

test('chosen messages get another time, and others are canceled', async () => {
  await bar(3).click();
  await table().getByText('{"reminder": "3 of 3"}').waitFor();
  await page.getByRole('checkbox', { name: /^Select all shown/ }).check();
  await status('3 selected').waitFor();
  await page.getByRole('button', { name: 'Reschedule' }).click();
  await dialog().getByLabel('Deliver at').fill(new Date(Date.now() + 50 * 3_600_000).toISOString().slice(0, 19));
  await dialog().getByRole('button', { name: 'Reschedule 3' }).click();
  await dialog().waitFor({ state: 'detached' });
  await status('342 of 342 read').waitFor();
  await bar(3).click();
  await table().getByText('{"reminder": "3 of 3"}').waitFor();
  await bar(300).click();
  await page.getByRole('checkbox', { name: /^Select all shown/ }).check();
  await status('250 selected').waitFor();
  await page.getByRole('button', { name: 'Cancel (delete)' }).click();
  await dialog().getByText('You cannot get them back').waitFor();
  await dialog().getByRole('button', { name: 'Delete 250' }).click();
  await status('92 of 92 read').waitFor();
  await bar(50).waitFor();
});

test('a queue without scheduled messages says so', async () => {
  await page.goto(url + '/console/#/scheduled/idle');
  await page.getByText('No message is scheduled.').waitFor();
  await picture(page, 'scheduled-none');
  await page.goto(url + '/console/#/scheduled/absent');
  await page.getByRole('alert').getByText('could not be found').waitFor();
});

test('a telephone shows the timeline, and a key that only reads has no buttons for changes', async () => {
  const phone = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' });
  try {
    await logIn(phone.page, process.env.CONSOLE_READER);
    await phone.page.goto(url + '/console/#/scheduled/reminders?by=hour');
    await phone.page.getByText('92 of 92 read').waitFor();
    await phone.page.getByRole('checkbox', { name: /^Select message/ }).first().check();
    await phone.page.getByText('1 selected').waitFor();
    assert.equal(await phone.page.getByRole('button', { name: /^(Deliver|Reschedule|Cancel)/ }).count(), 0);
    await fitsTheScreen(phone.page);
    await picture(phone.page, 'phone-scheduled');
  } finally {
    await phone.close();
  }
});
