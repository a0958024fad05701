import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, logIn, open, picture, url } from './browser.mjs';

let session;
let page;
const asked = [];
let running = 0;
let mostRunning = 0;
/** An entity whose answer a test holds back. */
let late = { path: '', answered: Promise.resolve() };

before(async () => {
  session = await open({ viewport: { width: 1440, height: 800 } });
  page = session.page;
  page.setDefaultTimeout(10_000);
  await page.route('**/history', async (route) => {
    const path = decodeURIComponent(new URL(route.request().url()).pathname.split('/').at(-2));
    asked.push(path);
    mostRunning = Math.max(mostRunning, ++running);
    const answer = await route.fetch();
    const document = await answer.json();
    assert.deepEqual(Object.keys(document).slice(-2), ['incoming', 'outgoing']);
    const wave = (shift) => Array.from({ length: 60 }, (_, at) => Math.round(50 + 40 * Math.sin((at + shift) / 6)));
    if (path === late.path) {
      await late.answered;
    }
    running--;
    await route.fulfill({ response: answer, json: { ...document, incoming: wave(asked.length), outgoing: wave(asked.length + 4) } });
  });
  await logIn(page);
});
after(async () => session?.close());

const lines = () => page.getByRole('table', { name: 'Entities' }).getByRole('img', { name: 'At most 90 messages a minute' });

test('the entities in sight that had messages have lines, and others are not asked for', async () => {
  await page.getByRole('link', { name: 'Entities', exact: true }).click();
  // The table asks for a few at a time. It has asked for all when each row in sight has its line.
  await lines().first().waitFor();
  const rows = await page.getByRole('table', { name: 'Entities' }).evaluate((table) => Math.ceil(table.clientHeight / table.querySelector('.row').offsetHeight));
  await lines().nth(rows - 1).waitFor({ timeout: 30_000 });
  assert.equal(await lines().count(), rows);
  assert.equal(running, 0);
  const inSight = asked.length;
  assert.equal(inSight, rows, 'each is asked for once');
  assert.ok(inSight >= 15 && inSight < 25, `${inSight} requests`);
  assert.ok(asked.every((each) => each.startsWith('busy')), asked.join());
  assert.ok(mostRunning <= 4, `${mostRunning} at the same time`);
  await accessible(page);
  await picture(page, 'entities-history');
  await page.keyboard.press('r');
  await page.getByRole('searchbox').fill('idle');
  await page.getByRole('status').getByText('30 of 181 entities').waitFor();
  await page.getByRole('searchbox').fill('');
  await lines().nth(rows - 1).waitFor();
  assert.equal(asked.length, inSight, 'each is asked for once a minute');
});

test('rows that are scrolled past are not asked for', async () => {
  const before = asked.length;
  await page.getByRole('searchbox').fill('busy');
  const table = page.getByRole('table', { name: 'Entities' });
  await table.evaluate((element) => (element.scrollTop = element.scrollHeight));
  await table.getByText('s-149').waitFor();
  await table.getByRole('row').filter({ hasText: 's-149' }).getByRole('img').waitFor();
  assert.ok(asked.length - before < 25, `${asked.length - before} requests`);
  assert.ok(!asked.includes('busy/Subscriptions/s-075'));
});

test('an entity whose answer is late is not asked for again', async () => {
  const line = (name) => page.getByRole('table', { name: 'Entities' }).getByRole('row').filter({ hasText: name }).getByRole('img');
  await page.goto(url + '/console/#/');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const before = asked.length;
  let answer;
  late = { path: 'busy/Subscriptions/s-003', answered: new Promise((resolve) => (answer = resolve)) };
  try {
    await page.goto(url + '/console/#/entities?find=s-00');
    await line('s-009').waitFor();
    // The table asks for the rows in sight again, in their order, but for those whose line it has.
    await page.getByRole('searchbox').fill('s-0');
    await line('s-012').waitFor();
    assert.deepEqual(asked.slice(before).filter((each) => each === late.path), [late.path]);
  } finally {
    answer();
  }
  await line('s-003').waitFor();
});
