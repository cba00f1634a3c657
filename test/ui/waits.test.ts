import { strict as assert } from 'node:assert';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../support/browser.ts';
import { actUntil, limitWaits, until } from '../support/editorWait.ts';

describe('waits of UI tests', () => {
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await startBrowser();
    page = await browser.newPage();
    limitWaits(page, 0);
  });
  after(() => browser?.close());

  it('give up an action whose target has gone, and look again', async () => {
    await page.setContent('<button>Load More</button>');
    const clicks: number[] = [];
    const began = performance.now();
    const click = async () => {
      clicks.push(performance.now() - began);
      // As where the row goes with the click before.
      await page.locator('button').evaluate((button) => button.remove());
      await page.locator('button').click();
    };
    const isSo = async () => clicks.length > 0 && (await page.locator('button').count()) === 0;
    await actUntil(page, click, 'the button to be gone', isSo);
    assert.equal(clicks.length, 1);
    assert.ok(performance.now() - began < 15_000, 'not as long as the whole wait');
  });

  it('say in an error what they have refused, and how the last try failed', async () => {
    let looks = 0;
    const read = async () => `look ${++looks}`;
    const error = await until(page, 'a row', read, () => false, 300).catch(String);
    assert.equal(error, `Error: Waited 0 s for a row. Last seen:\nlook ${looks}`);
    limitWaits(page, 0);
    const press = () => until(page, 'nothing', () => page.locator('i').click(), Boolean, 100);
    const failed = await until(page, 'a click', press, Boolean, 100).catch(String);
    assert.match(
      `${failed}`,
      /^Error: Waited 0 s for a click\. Last seen:\nWaited 0 s for nothing\. Last seen:\nlocator\.click: Timeout 2000ms/,
    );
  });

  it('look again where the frame that they read has been replaced', async () => {
    await page.setContent('<iframe srcdoc="<p>Old</p>"></iframe>');
    const replace =
      '() => { parent.document.body.innerHTML = `<iframe srcdoc="<p>New</p>"></iframe>`; return new Promise(() => {}); }';
    const read = async () => {
      const line = page.frameLocator('iframe').locator('p');
      const text = await line.textContent();
      return text === 'Old' ? line.evaluateAll(`(${replace})()`) : text;
    };
    assert.equal(await until(page, 'the new frame', read, Boolean), 'New');
  });

  it('leave to all else on the page the time that it had', async () => {
    await until(page, 'anything', async () => true, Boolean);
    const late = page.locator('b').waitFor();
    await page.evaluate('setTimeout(() => document.body.append(document.createElement("b")), 2500)');
    await page.evaluate('document.body.append("x")');
    await page.evaluate(
      'setTimeout(() => { for (const one of document.querySelectorAll("b")) one.textContent = "x"; }, 2500)',
    );
    await late;
  });
});
