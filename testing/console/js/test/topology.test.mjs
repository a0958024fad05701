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

const graph = () => page.getByRole('region', { name: 'Graph of the entities' });
const node = (name) => graph().locator('.node').filter({ has: page.locator('b', { hasText: new RegExp(`^${name}$`) }) });
const middle = async (name) => {
  const box = await node(name).boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

test('the graph goes from topics over subscriptions and forwards to queues', async () => {
  await page.getByRole('link', { name: 'Topology' }).click();
  await page.getByRole('searchbox').fill('intake');
  await page.getByRole('status').getByText(/^10 of 33\d entities/).waitFor();
  const way = ['intake', 'weather', 'storm', 'urgent', 'all', 'alarms'];
  const columns = [];
  for (const name of way) {
    columns.push((await middle(name)).x);
  }
  assert.deepEqual(columns, [...columns].sort((a, b) => a - b));
  assert.equal(new Set(columns).size, way.length);
  assert.equal(await graph().locator('.edge').count(), 9);
  assert.equal(await graph().locator('.edge.deadLetter').count(), 1);
  const places = await graph().locator('.node').evaluateAll((all) => all.map((each) => each.style.left + each.style.top));
  assert.equal(new Set(places).size, places.length, 'no entity covers another one');
  await accessible(page);
  await picture(page, 'topology-start');
});

test('an entity with messages and without a receiver is red, and links to its messages', async () => {
  assert.match(await node('hot').getAttribute('class'), /bad/);
  assert.match(await node('hot').innerText(), /1 active · no receiver/);
  assert.doesNotMatch(await node('storm').getAttribute('class'), /bad/);
  assert.equal(await graph().locator('.edge.bad').count(), 3);
  await node('hot').click();
  await page.getByRole('table', { name: 'Messages' }).getByText('{"station": 12}').waitFor();
  await page.goBack();
  await node('berlin').waitFor();
});

test('a line is as wide as its rate, and a backlog that grows is red', async () => {
  const rates = { 'weather/Subscriptions/storm': [100, 0], 'weather/Subscriptions/archive': [10, 10], 'weather/Subscriptions/berlin': [30, 18] };
  await page.route('**/entities?*', async (route) => {
    const answer = await route.fetch();
    const document = await answer.json();
    for (const each of document.entities) {
      const [incoming, outgoing] = rates[each.path] ?? [0, 0];
      each.incomingPerSecond = { oneMinute: incoming, fiveMinutes: incoming };
      each.outgoingPerSecond = { oneMinute: outgoing, fiveMinutes: outgoing };
      each.receivers = rates[each.path] ? 1 : each.receivers;
    }
    await route.fulfill({ response: answer, json: document });
  });
  try {
    await page.keyboard.press('r');
    await node('berlin').getByText('grows by 12/s').waitFor();
    assert.doesNotMatch(await node('archive').getAttribute('class'), /bad/);
    const widths = Object.fromEntries(
      await graph().locator('.edge > path:first-child').evaluateAll((all) => all.map((each) => [each.textContent.replace(/( .subscription.)?:.*/, ''), Number(each.getAttribute('stroke-width'))])),
    );
    assert.ok(Math.abs(widths['weather → weather/Subscriptions/storm'] - 5.51) < 0.01, JSON.stringify(widths));
    assert.ok(Math.abs(widths['weather/Subscriptions/storm → urgent'] - 5.51) < 0.01);
    assert.ok(widths['weather → weather/Subscriptions/archive'] < widths['weather → weather/Subscriptions/berlin']);
    assert.equal(widths['urgent → urgent/Subscriptions/all'], 1.5);
    await picture(page, 'topology');
  } finally {
    await page.unrouteAll({ behavior: 'wait' });
  }
});

test('a filter finds an entity with all before and behind it, and no others', async () => {
  await page.getByRole('searchbox').fill('berlin');
  await page.getByRole('status').getByText(/^3 of 33\d/).waitFor();
  assert.deepEqual((await graph().locator('.node b').allInnerTexts()).sort(), ['berlin', 'intake', 'weather']);
  await page.getByRole('searchbox').fill('lonely');
  await page.getByRole('status').getByText(/^1 of/).waitFor();
  await page.getByRole('searchbox').fill('nothing-like-this');
  await page.getByText('No entity has a path like this.').waitFor();
});

test('at most 300 entities are drawn, and a filter shows others', async () => {
  await page.getByRole('searchbox').fill('');
  await page.getByText(/^These are the first 300 of 331 entities/).waitFor();
  assert.equal(await graph().locator('.node').count(), 300);
  await page.getByRole('searchbox').fill('reader-319');
  await page.getByRole('status').getByText(/^2 of 33\d/).waitFor();
  await page.getByRole('searchbox').fill('lonely');
  await page.getByRole('checkbox').check();
  await node('lonely').waitFor();
});

test('a circle of ten thousand forwards is drawn within seconds', async () => {
  await page.route('**/entities?*', async (route) => {
    const answer = await route.fetch();
    const { entities } = await answer.json();
    const queue = entities.find((each) => each.kind === 'queue');
    const circle = Array.from({ length: 10_000 }, (_, at) => ({ ...queue, path: `circle-${at}`, forwardTo: `circle-${(at + 1) % 10_000}` }));
    await route.fulfill({ response: answer, json: { entities: circle, total: circle.length, next: null } });
  });
  // The limit is for the processor time of the page, because a busy machine may let it wait.
  const browser = await session.context.newCDPSession(page);
  await browser.send('Performance.enable', { timeDomain: 'threadTicks' });
  const used = async () => (await browser.send('Performance.getMetrics')).metrics.find((each) => each.name === 'TaskDuration').value;
  try {
    const started = performance.now();
    const before = await used();
    await page.goto(url + '/console/#/topology?find=circle');
    await page.keyboard.press('r');
    await page.getByText('These are the first 300 of 10,000 entities.').waitFor({ timeout: 60_000 });
    const seconds = (await used()) - before;
    console.log(`drawn after ${Math.round(performance.now() - started)} ms, with ${seconds.toFixed(2)} s of the processor`);
    assert.ok(seconds > 0 && seconds < 8, `${seconds} s of the processor`);
    assert.equal(await graph().locator('.node').count(), 300);
  } finally {
    await browser.detach();
    await page.unrouteAll({ behavior: 'wait' });
    // The page reads so long a list again after a minute, which is longer than the next test waits for its entities.
    await page.keyboard.press('r');
  }
  await page.getByRole('status').getByText(/ of 33\d entities/).waitFor();
});

test('the table has the same as text', async () => {
  await page.goto(url + '/console/#/topology?find=intake&view=table');
  const row = (name) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
  assert.match((await row('intake').innerText()).replace(/\s+/g, ' '), /^Q intake → weather → failures \(dead letters\) /);
  assert.match((await row('weather/Subscriptions/storm').innerText()).replace(/\s+/g, ' '), /^S weather\/Subscriptions\/storm ← weather → urgent /);
  assert.match((await row('weather/Subscriptions/hot').innerText()).replace(/\s+/g, ' '), / 1 no receiver$/);
  await accessible(page);
  await picture(page, 'topology-table');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Pages of the entity' }).waitFor();
});

test('a telephone shows the graph, which scrolls by itself, and the table', async () => {
  const phone = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' });
  try {
    await logIn(phone.page);
    await phone.page.goto(url + '/console/#/topology?find=weather');
    await phone.page.locator('.node').first().waitFor();
    await fitsTheScreen(phone.page);
    await picture(phone.page, 'phone-topology');
    await phone.page.getByRole('button', { name: 'Table' }).click();
    await phone.page.getByText('← weather').first().waitFor();
    await fitsTheScreen(phone.page);
    await picture(phone.page, 'phone-topology-table');
  } finally {
    await phone.close();
  }
});
