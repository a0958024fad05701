import { after, before, test } from 'node:test';
import { open, url } from './browser.mjs';

let session;
let page;

before(async () => {
  session = await open({ provider: new URL(process.env.CONSOLE_PROVIDER).origin });
  page = session.page;
});
after(async () => session?.close());

test('an open page shows the login when the tokens have expired', async () => {
  await page.goto(url + '/console/');
  await page.getByRole('button', { name: 'Log in with 127.0.0.1' }).click();
  await page.getByRole('link', { name: 'rita' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: 'Log in with 127.0.0.1' }).waitFor({ timeout: 60_000 });
});
