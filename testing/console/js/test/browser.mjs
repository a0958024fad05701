// A browser with a page of the console, and the checks that all tests share.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { chromium } from 'playwright-core';

export const url = process.env.CONSOLE_URL;
export const connectionString = process.env.CONSOLE_CONNECTION_STRING;
const pictures = join(import.meta.dirname, '../../target/pictures');
const guide = join(import.meta.dirname, '../../../../docs/guides/console');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Starts a browser. Its requests to other hosts are recorded, and must be none, except to the identity provider of a test. */
export async function open({ provider = '', ...options } = {}) {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', locale: 'en-US', timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const foreign = [];
  const problems = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(url + '/') && !(provider && request.url().startsWith(provider + '/')) && !request.url().startsWith('data:')) {
      foreign.push(request.url());
    }
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    // The browser itself reports each refused request.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      problems.push(message.text());
    }
  });
  return {
    browser,
    context,
    page,
    /** Ends the browser, and checks that no request left the host and that nothing failed in the page. */
    async close() {
      await browser.close();
      assert.deepEqual(foreign, [], 'requests to other hosts');
      assert.deepEqual(problems, [], 'errors in the page, such as violations of the content security policy');
    },
  };
}

export async function logIn(page, text = connectionString) {
  await page.goto(url + '/');
  await page.getByLabel('Connection string').fill(text);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

/** Holds back the answers of the server to some requests, which are those of this moment, until they are released. */
export async function holdAnswers(page, pattern) {
  let open;
  let first;
  const opened = new Promise((resolve) => (open = resolve));
  const asked = new Promise((resolve) => (first = resolve));
  const answers = [];
  const handler = async (route) => {
    const response = await route.fetch();
    const answer = opened.then(() => route.fulfill({ response }));
    answers.push(answer);
    first();
    await answer;
  };
  await page.route(pattern, handler);
  return {
    /** Ends when the server has answered for the first time. */
    asked: () => Promise.race([asked, rest(30_000, undefined, { ref: false }).then(() => assert.fail(`The page has not asked for ${pattern}.`))]),
    /** Ends when the page shows what it makes of the answers. */
    async release() {
      open();
      await Promise.all(answers);
      await page.unroute(pattern, handler);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    },
  };
}

/** Checks the page for serious faults of accessibility, in both themes. */
export async function accessible(page) {
  for (const theme of ['dark', 'light']) {
    await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
    const found = await page.evaluate(`(() => { const module = undefined, exports = undefined; ${axe}; return window.axe.run(); })()`);
    const serious = found.violations
      .filter((violation) => ['serious', 'critical'].includes(violation.impact))
      .map((violation) => `${theme}: ${violation.id}: ${violation.help}: ${violation.nodes.slice(0, 3).map((node) => node.html + ' ' + node.failureSummary).join('; ')}`);
    assert.deepEqual(serious, []);
  }
  await page.evaluate(() => delete document.documentElement.dataset.theme);
}

/** Checks that no part of the page is wider than the screen. */
export async function fitsTheScreen(page) {
  const { wide, screen } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, screen: innerWidth }));
  assert.ok(wide <= screen, `the page is ${wide} pixels wide, and the screen ${screen}`);
  const inner = await page.evaluate(() => [...document.querySelectorAll('main')].filter((each) => each.scrollWidth > each.clientWidth).length);
  assert.equal(inner, 0, 'the page scrolls to the side');
}

/** Keeps a picture of the page. On demand it replaces the one of that name in the guide. */
export async function picture(page, name) {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, name + '.png') });
  if (process.env.CONSOLE_RENEW === 'true' && existsSync(join(guide, name + '.png'))) {
    copyFileSync(join(pictures, name + '.png'), join(guide, name + '.png'));
  }
}
