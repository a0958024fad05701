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
const row = (name) => page.getByRole('row').filter({ hasText: name });
const way = () => page.getByRole('region', { name: 'Way of the message' });
const subscription = (name) => way().getByRole('listitem').filter({ has: page.locator('summary', { hasText: name }) });
const at = (place) => page.goto(`${url}/console/#/rules/${encodeURIComponent(place)}`);

test('a subscription has a page with its rules', async () => {
  await page.goto(`${url}/console/#/messages/${encodeURIComponent('weather/Subscriptions/storm')}`);
  await page.getByRole('link', { name: 'Rules', exact: true }).click();
  await page.getByRole('status').getByText('1 rule').waitFor();
  assert.match((await row('only').innerText()).replace(/\s+/g, ' '), /^only wind > @limit @limit = 80 \(int\) SET sys.Label = 'storm'; REMOVE note \d{4}-/);
});

test('a mistake in a filter or an action is shown at its field, with the place', async () => {
  await at('weather/Subscriptions/hot');
  await page.getByRole('button', { name: 'New rule' }).click();
  await dialog().getByLabel('Name', { exact: true }).fill('Only');
  await dialog().getByLabel('Filter', { exact: true }).fill('1=0');
  await dialog().getByRole('button', { name: 'Create' }).click();
  await dialog().getByRole('alert').getByText('There is a rule with this name.').waitFor();
  await dialog().getByLabel('Name', { exact: true }).fill('frost');
  await dialog().getByLabel('Filter', { exact: true }).fill('degrees < 0\nAND city = = 1');
  await dialog().getByRole('button', { name: 'Create' }).click();
  const alert = dialog().getByRole('alert');
  await alert.getByText('at line 2, column 12 of the SQL filter').waitFor();
  const where = (await alert.locator('pre').innerText()).split('\n');
  assert.equal(where[0], 'AND city = = 1');
  assert.equal(where[1].indexOf('^'), 11);
  assert.equal(await dialog().getByLabel('Filter', { exact: true }).getAttribute('aria-invalid'), 'true');
  await accessible(page);
  await picture(page, 'rule-error');
  await dialog().getByLabel('Filter', { exact: true }).fill('degrees < @limit');
  await dialog().getByRole('button', { name: 'Add a parameter' }).click();
  await dialog().getByLabel('Name of parameter 1').fill('@limit');
  await dialog().getByLabel('Type of parameter 1').selectOption('int');
  await dialog().getByLabel('Value of parameter 1').fill('zero');
  await dialog().getByRole('button', { name: 'Create' }).click();
  await dialog().getByRole('alert').getByText('zero').waitFor();
  await dialog().getByLabel('Value of parameter 1').fill('0');
  await dialog().getByLabel('Action', { exact: true }).fill('SET = 1');
  await dialog().getByRole('button', { name: 'Create' }).click();
  await alert.getByText('of the SQL action').waitFor();
  assert.equal(await dialog().getByLabel('Action', { exact: true }).getAttribute('aria-invalid'), 'true');
  await dialog().getByLabel('Action', { exact: true }).fill("SET alarm = 'frost'");
  await dialog().getByRole('button', { name: 'Create' }).click();
  await page.getByText('Rule frost was created.').waitFor();
  assert.match((await row('frost').innerText()).replace(/\s+/g, ' '), /^frost degrees < @limit @limit = 0 \(int\) SET alarm = 'frost' /);
});

test('a rule is changed with the keyboard, and deleted after a question', async () => {
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await dialog().getByRole('heading', { name: 'Change a rule' }).waitFor();
  assert.equal(await dialog().getByLabel('Name', { exact: true }).inputValue(), 'frost');
  assert.equal(await dialog().getByLabel('Value of parameter 1').inputValue(), '0');
  await dialog().getByLabel('The subscription gets').selectOption('Correlation filter');
  await dialog().getByRole('button', { name: 'Change' }).click();
  await dialog().getByRole('alert').getByText('at least one condition').waitFor();
  await dialog().getByLabel('Subject').fill('frost');
  await dialog().getByRole('button', { name: 'Add a property' }).click();
  await dialog().getByLabel('Name of property 1').fill('night');
  await dialog().getByLabel('Type of property 1').selectOption('boolean');
  await dialog().getByLabel('Value of property 1').fill('true');
  await accessible(page);
  await picture(page, 'rule-correlation');
  await dialog().getByRole('button', { name: 'Change' }).click();
  await page.getByText('Rule frost was changed.').waitFor();
  assert.match((await row('frost').innerText()).replace(/\s+/g, ' '), /Subject = 'frost' and night = true/);
  await accessible(page);
  await picture(page, 'rules');
  await page.getByRole('button', { name: 'Change rule frost' }).click();
  assert.equal(await dialog().getByLabel('Value of property 1').inputValue(), 'true');
  await dialog().getByLabel('The subscription gets').selectOption('No messages');
  await dialog().getByRole('button', { name: 'Change' }).click();
  await row('frost').getByText('no messages').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('degrees >');
  await page.getByRole('status').getByText('1 of 2 rules').waitFor();
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'Delete rule frost' }).click();
  await dialog().getByText('Delete rule frost').waitFor();
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Rule frost was deleted.').waitFor();
  await page.getByRole('status').getByText('1 rule', { exact: true }).waitFor();
});

test('a topic says which subscriptions get a message, why, what changes, and where it is forwarded', async () => {
  await page.getByRole('link', { name: 'Where would a message go?' }).click();
  await page.getByText('Describe a message').waitFor();
  const property = async (name, type, value) => {
    await page.getByRole('button', { name: 'Add a property' }).click();
    const number = await page.getByLabel(/^Name of property/).count();
    await page.getByLabel(`Name of property ${number}`).fill(name);
    await page.getByLabel(`Type of property ${number}`).selectOption(type);
    await page.getByLabel(`Value of property ${number}`).fill(value);
  };
  await property('degrees', 'int', '28');
  await property('wind', 'int', '95');
  await property('note', 'string', 'gale');
  await page.getByLabel('Subject').fill('report');
  await page.getByRole('button', { name: 'Where would it go?' }).click();
  await subscription('storm').getByText('gets it').first().waitFor();
  const storm = (await subscription('storm').first().innerText()).replace(/\s+/g, ' ');
  assert.match(storm, /matches only wind > @limit @limit = 80 \(int\) wind = 95 \(int\)/);
  assert.match(storm, /note: gale \(string\) → removed/);
  assert.match(storm, /It is forwarded to urgent\. T urgent accepts it/);
  assert.match(storm, /It is forwarded to alarms\. Q alarms accepts it .* A message arrives in alarms/);
  assert.match((await subscription('hot').innerText()).replace(/\s+/g, ' '), /hot does not get it does not match only degrees > 30 degrees = 28 \(int\)/);
  assert.match((await subscription('berlin').innerText()).replace(/\s+/g, ' '), /does not get it/);
  await accessible(page);
  await picture(page, 'explain');
});

test('a value that does not fit its type, and a message that is refused, are explained', async () => {
  await page.getByLabel('Value of property 1').fill('warm');
  await page.getByRole('button', { name: 'Where would it go?' }).click();
  await page.getByRole('group', { name: 'Application properties' }).getByRole('alert').getByText('applicationProperties.degrees').waitFor();
  await page.getByLabel('Value of property 1').fill('28');
  await page.getByLabel('Type of property 2').selectOption('null');
  await page.getByRole('button', { name: 'Where would it go?' }).click();
  await subscription('storm').getByText('A property is missing or null.').waitFor();
  await page.getByLabel('Body').fill('x'.repeat(300_000));
  await page.getByRole('button', { name: 'Where would it go?' }).click();
  await way().getByText('refuses it').waitFor();
  await way().getByText(/exceeds the limit/).waitFor();
  assert.equal(await way().getByText('no subscriptions').count(), 0);
  await picture(page, 'explain-refused');
});

test('the page of a message leads to its way', async () => {
  await page.goto(`${url}/console/#/messages/${encodeURIComponent('weather/Subscriptions/hot')}`);
  await page.getByRole('table', { name: 'Messages' }).getByRole('link').first().click();
  await page.getByRole('link', { name: 'Where would it go?' }).click();
  await subscription('hot').getByText('gets it', { exact: true }).waitFor();
  assert.match((await subscription('berlin').innerText()).replace(/\s+/g, ' '), /berlin gets it/);
  assert.match(await page.getByLabel('In', { exact: true }).inputValue(), /^weather\/subscriptions\/hot$/i);
  await page.getByLabel('Sequence number').fill('987654');
  await page.getByRole('button', { name: 'Where would it go?' }).click();
  await page.getByRole('alert').getByText('987654').waitFor();
});

test('a queue answers the question too', async () => {
  await at('alarms');
  await page.getByLabel('Body').fill('fire');
  await page.getByRole('button', { name: 'Where would it go?' }).click();
  await way().getByText('A message arrives in').waitFor();
  assert.match(await way().innerText(), /does not expire/);
});

test('a duplicate, a time to live and a scheduled time have their effects in the answer', async () => {
  await at('once');
  await page.getByLabel('Message id').fill('order-1');
  await page.getByRole('button', { name: 'Where would it go?' }).click();
  await way().getByText('drops a duplicate').waitFor();
  await page.getByLabel('Message id').fill('order-2');
  await page.getByText('More properties').click();
  await page.getByLabel('Time to live, seconds').fill('90');
  await page.getByLabel('Scheduled for').fill('2099-01-02T03:04:05');
  await page.getByRole('button', { name: 'Where would it go?' }).click();
  await way().getByText('It waits until 2099-01-02 03:04:05').waitFor();
  await way().getByText('lives 1 min, until 2099-01-02 03:05:35').waitFor();
});

test('a telephone shows rules and the way, without the buttons that the key forbids', async () => {
  const phone = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' });
  try {
    await logIn(phone.page, process.env.CONSOLE_READER);
    await phone.page.goto(`${url}/console/#/rules/${encodeURIComponent('weather/Subscriptions/storm')}`);
    await phone.page.getByText('wind > @limit').waitFor();
    await fitsTheScreen(phone.page);
    await picture(phone.page, 'phone-rules');
    assert.equal(await phone.page.getByRole('button', { name: /^(New|Change|Delete)/ }).count(), 0);
    await phone.page.getByRole('link', { name: 'Where would a message go?' }).click();
    await phone.page.getByRole('button', { name: 'Where would it go?' }).click();
    await phone.page.getByText('A message arrives in').first().waitFor();
    await fitsTheScreen(phone.page);
    await picture(phone.page, 'phone-explain');
  } finally {
    await phone.close();
  }
});
