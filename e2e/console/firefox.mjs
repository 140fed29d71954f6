// A walk through the console in Debian's Firefox, which Playwright does not drive: sign in, declare, print.
//   node firefox.mjs URL EMAIL PASSWORD FIREFOX
import assert from 'node:assert/strict'
import puppeteer from 'puppeteer-core'

// In milliseconds: long enough for any machine. The test that runs this ends what hangs.
const PATIENCE = 600_000

const [url, email, password, executablePath] = process.argv.slice(2)
const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true, timeout: PATIENCE, protocolTimeout: PATIENCE })
try {
  const page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE)
  const complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(url)
  await page.type('#email', email)
  await page.type('#password', password)
  await Promise.all([page.waitForNavigation(), page.click('button.main')])
  assert.match(page.url(), /\/o\/[a-z-]+$/)
  const home = page.url()
  for (const path of ['/incidents', '/incidents/INC-0001', '/risks', '/risks/RSK-1', '/risks/heat-map', '/documents', '/journal']) {
    const response = await page.goto(home + path)
    assert.equal(response.status(), 200, path)
    const scrolls = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    assert.ok(scrolls <= 0, `${path} scrolls by ${scrolls} px`)
    // The stylesheet's newer parts are understood: colours of both themes, nesting and layers.
    const ink = await page.evaluate(() => getComputedStyle(document.querySelector('h1')).color)
    assert.notEqual(ink, 'rgb(0, 0, 0)', path)
  }
  await page.goto(`${home}/incidents/new`)
  await page.type('#title', 'Seen in Firefox')
  await Promise.all([page.waitForNavigation(), page.click('main button.main')])
  assert.equal(await page.$eval('h1', (element) => element.textContent), 'Seen in Firefox')
  await page.goto(`${home}/go`)
  await page.type('#q', 'heat')
  await page.waitForFunction(() => document.querySelectorAll('#places li').length === 2)
  assert.deepEqual(complaints, [])
} finally {
  await browser.close()
}
