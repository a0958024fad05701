import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, open, picture, url } from './browser.mjs';

let session;
let page;

before(async () => {
  session = await open();
  page = session.page;
});
after(async () => session?.close());

test('the public key needs no login on this machine, and a banner says so', async () => {
  const started = performance.now();
  await page.goto(url + '/');
  await page.getByRole('note').getByText('public key of development').waitFor();
  await page.getByRole('link', { name: 'Entities', exact: true }).click();
  await page.getByText('area-00/queue-0000').waitFor();
  console.log(`first rows after ${Math.round(performance.now() - started)} ms`);
});

test('ten thousand entities are in the table, and only those in sight in the document', async () => {
  await page.getByRole('status').getByText('10,000 entities · 0 active · 0 dead').waitFor();
  const entities = page.getByRole('table', { name: 'Entities' });
  assert.ok((await entities.getByRole('row').count()) < 80);
  await entities.evaluate((element) => (element.scrollTop = element.scrollHeight));
  await entities.getByText('area-99/queue-9999').waitFor();
  const started = performance.now();
  await page.getByRole('searchbox').fill('queue-4242');
  await entities.getByText('area-42/queue-4242').waitFor();
  await page.getByRole('status').getByText('1 of 10,000').waitFor();
  console.log(`filter after ${Math.round(performance.now() - started)} ms`);
  await accessible(page);
  await picture(page, 'many');
});

test('after logging out the session does not start again by itself', async () => {
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Continue without a login' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Continue without a login' }).click();
  await page.getByRole('table', { name: 'Entities' }).waitFor();
});
