import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, holdAnswers, logIn, open, picture, url } from './browser.mjs';

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
const messages = () => page.getByRole('table', { name: 'Messages' });

test('the overview shows the sums, the stores, and a link to what needs attention', async () => {
  await page.getByText('Needs attention').waitFor();
  const tile = (name) => page.locator('.tile').filter({ hasText: name });
  assert.match(await tile('Dead letters').innerText(), /1,121/);
  assert.match(await tile('Active').innerText(), /^Active\s+40\s/);
  const stores = page.getByRole('table');
  assert.match(await stores.innerText(), /serving/);
  assert.match(await stores.getByRole('row').nth(1).getByRole('cell').nth(3).innerText(), /\d (GB|TB|MB)$/);
  await accessible(page);
  await picture(page, 'overview');
  await page.getByRole('region', { name: 'No receiver' }).getByRole('link', { name: 'orders' }).click();
  await page.getByRole('status').getByText('40 found').waitFor();
  assert.match(page.url(), /messages\/orders\?state=active/);
});

test('a hidden tab asks the server for nothing', async () => {
  // It has a browser of its own, because all pages of a context have the same clock.
  const other = await open();
  await other.context.addCookies(await session.context.cookies());
  const hidden = other.page;
  // The time stands still from the beginning on. Otherwise it also runs by itself while the test waits.
  await hidden.clock.install();
  await hidden.clock.pauseAt(Date.now() + 60_000);
  let asked = 0;
  hidden.on('request', (request) => (asked += request.url().includes('/overview') ? 1 : 0));
  const hide = (value) =>
    hidden.evaluate((now) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => now });
      document.dispatchEvent(new Event('visibilitychange'));
    }, value);
  await hidden.goto(url + '/console/');
  await hidden.getByText('Needs attention').waitFor();
  await Promise.all([hidden.waitForResponse(/overview/), hidden.clock.runFor(6_000)]);
  assert.equal(asked, 2);
  await hide(true);
  await hidden.clock.runFor(60_000);
  assert.equal(asked, 2);
  await Promise.all([hidden.waitForResponse(/overview/), hide(false)]);
  assert.equal(asked, 3);
  await other.close();
});

test('a failed message is found by a property, says why it died, and is edited and sent again', async () => {
  await page.goto(url + '/console/#/');
  await page.locator('.tile').getByRole('link', { name: '1,121' }).click();
  await page.getByRole('link', { name: 'refunds' }).click();
  await page.getByRole('link', { name: 'All messages' }).click();
  await page.getByLabel('Filter').fill("customer = 'C-0500'");
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText(/^1 found/).waitFor();
  await messages().getByRole('link').first().click();
  await page.getByText('InvalidCurrency').waitFor();
  await page.getByText('The currency of refund 500 is missing.').waitFor();
  await page.getByRole('button', { name: 'Edit and resend' }).click();
  const body = page.getByRole('textbox', { name: 'Body' });
  await body.fill((await body.inputValue()).replace('"refund"', '"currency": "EUR", "refund"'));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status').getByText('The changed message was sent to refunds').waitFor();
});

test('the others of the same reason are counted, and resubmitted by a job with a canary', async () => {
  await page.goto(url + '/console/#/dead-letters/refunds');
  const group = page.getByRole('article').filter({ hasText: 'InvalidCurrency' });
  await group.getByText('1,000', { exact: true }).waitFor();
  await group.getByRole('button', { name: 'Resubmit' }).click();
  await dialog().getByLabel('Messages', { exact: true }).fill('3');
  await dialog().getByLabel('Wait, seconds').fill('1');
  // The job lasts twenty seconds, so that it can be paused.
  await dialog().getByLabel('Messages per second').fill('50');
  await dialog().getByLabel('Note').fill('BUG-123');
  await accessible(page);
  await picture(page, 'resubmit');
  await dialog().getByRole('button', { name: 'Count the messages' }).click();
  await dialog().getByText('1,000 messages found').waitFor();
  await picture(page, 'resubmit-counted');
  await dialog().getByRole('button', { name: 'Resubmit 1,000' }).click();
  await dialog().getByText('passed: none came back dead').waitFor();
  const late = await holdAnswers(page, /\/jobs\/1$/);
  try {
    await late.asked();
    await dialog().getByRole('button', { name: 'Pause' }).click();
    await dialog().getByText('paused', { exact: true }).waitFor();
  } finally {
    await late.release();
  }
  assert.ok(await dialog().getByText('paused', { exact: true }).isVisible(), 'a late answer from before the pause does not replace it');
  const before = await dialog().getByRole('status').first().innerText();
  await accessible(page);
  await picture(page, 'job-paused');
  assert.match(before, /of 1,000 messages resubmitted/);
  assert.doesNotMatch(before, /1,000 of 1,000/);
  await dialog().getByRole('button', { name: 'Resume' }).click();
  await dialog().getByText('It continues when you close this page.').waitFor();
});

test('the job continues without the tab, and the page of jobs has its result', async () => {
  await page.close();
  page = await session.context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(url + '/console/#/jobs');
  const row = page.getByRole('row').filter({ hasText: 'BUG-123' });
  await row.getByText('done', { exact: true }).waitFor({ timeout: 90_000 });
  assert.match((await row.innerText()).replace(/\s+/g, ' '), /^1 Resubmit done refunds \(dead letters\) 1,000 1,000 0 BUG-123 RootManageSharedAccessKey /);
  await row.getByRole('link', { name: 'Resubmit' }).click();
  const progress = page.getByRole('region', { name: 'Progress' });
  await progress.getByText('1,000 of 1,000 messages resubmitted').waitFor();
  assert.equal(await progress.getByRole('button').count(), 0);
  const group = page.getByRole('region', { name: 'Order' }).getByRole('link', { name: /^[0-9a-f]{16}$/ });
  assert.match(await group.getAttribute('href'), /\/messages\/refunds\?queue=deadLetter&group=[0-9a-f]{16}$/);
  await accessible(page);
  await picture(page, 'job');
  await group.click();
  await page.getByText('Only the messages of one group.').waitFor();
  await page.goto(url + '/console/#/messages/refunds?filter=' + encodeURIComponent('[x-jitney-resubmitted] = 1'));
  await page.getByRole('button', { name: 'Go on' }).waitFor();
});

test('the audit trail has the edit and the job', async () => {
  await page.goto(url + '/console/#/audit?entity=refunds');
  const rows = page.getByRole('row');
  await rows.filter({ hasText: 'end job' }).getByText('1000 of 1000 messages done').waitFor();
  await rows.filter({ hasText: 'start job' }).getByText(/^job 1: resubmit/).waitFor();
  await rows.filter({ hasText: 'edit messages' }).waitFor();
  await accessible(page);
  await picture(page, 'audit');
  await page.getByLabel('Action').fill('edit');
  await page.getByLabel('Result').selectOption('done');
  await page.getByLabel('Since').fill('2020-01-01T00:00:00');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('1 entry shown').waitFor();
  assert.match(page.url(), /action=edit&result=done&since=2020-01-01T00%3A00%3A00.000Z/);
  await page.getByLabel('Until').fill('2020-01-02T00:00:00');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('No entry matches.').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await rows.filter({ hasText: 'end job' }).getByRole('link', { name: 'Show the job' }).click();
  await page.getByRole('region', { name: 'Progress' }).getByText('1,000 of 1,000').waitFor();
});

test('a job whose canary comes back dead pauses, says why, and can be canceled', async () => {
  await page.goto(url + '/console/#/dead-letters/poison');
  await page.getByRole('article').getByRole('button', { name: 'Resubmit' }).click();
  await dialog().getByLabel('Messages', { exact: true }).fill('3');
  await dialog().getByLabel('Wait, seconds').fill('15');
  await dialog().getByRole('button', { name: 'Count the messages' }).click();
  await dialog().getByRole('button', { name: 'Resubmit 120' }).click();
  await dialog().getByText('failed: messages came back dead').waitFor({ timeout: 60_000 });
  await dialog().getByRole('button', { name: 'Resume in spite of it' }).waitFor();
  await picture(page, 'canary-failed');
  await dialog().getByRole('button', { name: 'Cancel the job' }).click();
  await dialog().getByText('canceled', { exact: true }).waitFor();
  await page.goto(url + '/console/#/jobs');
  await page.getByRole('row').filter({ hasText: 'poison' }).getByText('canceled').waitFor();
  await accessible(page);
  await picture(page, 'jobs');
});

test('a job that is counted and not started is canceled when its dialog closes', async () => {
  await page.goto(url + '/console/#/dead-letters/poison');
  await page.getByRole('article').getByRole('button', { name: 'Delete' }).click();
  await dialog().getByRole('button', { name: 'Count the messages' }).click();
  await dialog().getByRole('button', { name: 'Delete 120' }).waitFor();
  await page.keyboard.press('Escape');
  await page.goto(url + '/console/#/jobs');
  await page.getByRole('row').filter({ hasText: /\d Delete/ }).getByText('canceled').waitFor();
});

test('a telephone and the dark theme show the new pages', async () => {
  const phone = await open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const dark = await open({ colorScheme: 'dark' });
  for (const each of [phone, dark]) {
    await logIn(each.page);
    for (const [name, hash, text] of [['overview', '', 'Stores'], ['jobs', 'jobs', 'BUG-123'], ['job', 'jobs/1', 'BUG-123'], ['audit', 'audit', 'end job']]) {
      await each.page.goto(url + '/console/#/' + hash);
      await each.page.getByText(text).first().waitFor();
      await picture(each.page, (each === phone ? 'phone-' : 'dark-') + name);
      assert.equal(await each.page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, name);
    }
    await each.close();
  }
});
