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
const table = () => page.getByRole('table', { name: 'Sessions' });
const row = (id) => table().getByRole('row').filter({ has: page.getByRole('link', { name: id, exact: true }) });

test('an entity with sessions has a page that lists them with their messages, states and locks', async () => {
  await page.goto(url + '/console/#/messages/trips');
  await page.getByRole('link', { name: 'Sessions' }).click();
  await row('trip-7').waitFor({ state: 'detached' });
  await page.getByRole('status').getByText('100 shown').waitFor();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('status').getByText('200 shown').waitFor();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('status').getByText('235 shown, that is all').waitFor();
  await table().evaluate((element) => (element.scrollTop = element.scrollHeight));
  await row('trip-7').waitFor();
  const text = (await row('trip-7').innerText()).replace(/\s+/g, ' ');
  assert.match(text, /^trip-7 3 0 \d+ (s|min) 51 B \d{4}-\d\d-\d\d \d\d:\d\d:\d\d link 'trip-7/);
  await accessible(page);
  await table().evaluate((element) => (element.scrollTop = 0));
  await row("O'Hare/gate 5").waitFor();
  assert.match((await row('other').innerText()).replace(/\s+/g, ' '), /^other 3 /);
  await picture(page, 'sessions');
});

test('a part of an id finds sessions, and the keyboard opens one', async () => {
  await page.keyboard.press('/');
  await page.keyboard.type("O'Hare");
  await page.getByRole('status').getByText('1 found, that is all').waitFor();
  assert.match(page.url(), /contains=O%27Hare/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: "O'Hare/gate 5" }).waitFor();
  await page.getByRole('region', { name: 'State' }).getByText('ff 00 01 02 80').waitFor();
  await picture(page, 'session-binary');
  await page.getByRole('region', { name: 'Messages' }).getByRole('link', { name: '1', exact: true }).first().click();
  await page.getByRole('status').getByText(/^1 found/).waitFor();
  assert.equal(await page.getByLabel('Filter').inputValue(), "sys.SessionId = 'O''Hare/gate 5'");
  await page.getByRole('table', { name: 'Messages' }).getByText('{"gate": 5}').waitFor();
  await page.goto(url + '/console/#/sessions/trips?contains=nothing-like-this');
  await page.getByText('No session with messages or a state has an id like this.').waitFor();
  await page.getByRole('link', { name: 'Open session nothing-like-this' }).click();
  await page.getByText("There is no session 'nothing-like-this'.").waitFor();
});

test('a locked session shows its state and its receiver, and is unlocked after a question', async () => {
  await page.goto(url + '/console/#/sessions/trips/trip-7');
  await page.getByRole('region', { name: 'State' }).getByText('"seats": [').waitFor();
  const lock = page.getByRole('region', { name: 'Lock and state' });
  assert.match(await lock.innerText(), /Locked until\s+\d{4}-/);
  await accessible(page);
  await picture(page, 'session');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await dialog().getByText('Its receiver loses the session').waitFor();
  await picture(page, 'session-unlock');
  await accessible(page);
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  assert.match(await lock.innerText(), /Locked until\s+\d{4}-/);
  await page.getByRole('button', { name: 'Clear the state' }).click();
  await dialog().getByRole('checkbox').uncheck();
  await dialog().getByRole('button', { name: 'Clear the state' }).click();
  await dialog().getByRole('alert').waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Unlock' }).click();
  await dialog().getByRole('button', { name: 'Unlock' }).click();
  await page.getByRole('status').getByText('The session was unlocked.').waitFor();
  await lock.getByText('not locked').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Unlock' }).count(), 0);
});

test('the state is cleared after a question that names its size', async () => {
  await page.getByRole('button', { name: 'Clear the state' }).click();
  await dialog().getByText('51 B. You cannot get it back.').waitFor();
  await dialog().getByRole('button', { name: 'Clear the state' }).click();
  await page.getByRole('status').getByText('The state was cleared.').waitFor();
  await page.getByText('The session has no state.').waitFor();
});

test('the dead letters of one session are resubmitted in their order, and those of others stay', async () => {
  await page.goto(url + '/console/#/messages/trips?queue=deadLetter');
  await page.getByRole('table', { name: 'Messages' }).getByText('{"late": 1}').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'late', exact: true }).click();
  await page.getByText("There is no session 'late'.").waitFor();
  await page.getByRole('region', { name: 'Messages' }).getByRole('link', { name: '5', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resubmit dead letters' }).click();
  await picture(page, 'session-resubmit');
  await accessible(page);
  await dialog().getByRole('button', { name: 'Resubmit' }).click();
  await dialog().getByRole('status').getByText('5 messages resubmitted, no other is left.').waitFor();
  // The count of the dead letters is the slower one of the requests that follow.
  await page.route(/\/groups\?/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await dialog().getByRole('button', { name: 'Close' }).click();
  await page.getByRole('status').getByText('The dead letters were resubmitted.').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  assert.equal(await page.getByRole('button', { name: 'Resubmit dead letters' }).count(), 0);
  await page.getByRole('region', { name: 'Messages' }).getByRole('link', { name: '5', exact: true }).click();
  await page.getByRole('status').getByText(/^5 found/).waitFor();
  const bodies = await page.getByRole('table', { name: 'Messages' }).locator('.body').allInnerTexts();
  assert.deepEqual(bodies.map((each) => each.trim()), [1, 2, 3, 4, 5].map((each) => `{"late": ${each}}`));
  await page.goto(url + '/console/#/messages/trips?queue=deadLetter');
  await page.getByRole('status').getByText('2 shown').waitFor();
});

test('an entity without sessions says so', async () => {
  await page.goto(url + '/console/#/sessions/plain');
  await page.getByRole('alert').getByText("'plain' does not require sessions.").waitFor();
  await page.goto(url + '/console/#/messages/plain');
  await page.getByText('There are no messages here.').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Sessions' }).count(), 0);
});

test('a telephone shows the sessions, and no page is wider than it', async () => {
  const phone = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' });
  try {
    await logIn(phone.page, process.env.CONSOLE_READER);
    await phone.page.goto(url + '/console/#/sessions/trips?contains=' + encodeURIComponent('رحلة'));
    await phone.page.getByRole('link', { name: 'رحلة-12' }).waitFor();
    await fitsTheScreen(phone.page);
    await picture(phone.page, 'phone-sessions');
    await phone.page.goto(url + '/console/#/sessions/trips?contains=rather-long');
    await phone.page.getByRole('link', { name: /^a-session-with/ }).click();
    await phone.page.getByText('The session has no state.').waitFor();
    await fitsTheScreen(phone.page);
    await picture(phone.page, 'phone-session');
    await phone.page.goto(url + '/console/#/sessions/trips/tour-001');
    await phone.page.getByText('waits for the customer').waitFor();
    for (const name of ['Clear the state', 'Unlock', 'Resubmit dead letters']) {
      assert.equal(await phone.page.getByRole('button', { name }).count(), 0, name + ' needs a right that this key lacks');
    }
  } finally {
    await phone.close();
  }
});
