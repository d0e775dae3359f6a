/**
 * Measures the dashboard of a demo as a person meets it: `node scripts/dashboard/Measure.ts <link>`, with the sign-in link
 * that `npm run demo` prints. Prints the bytes of the first page, the time until a first click has opened another page,
 * clicks and seconds of six tasks, and the shift of the layout of every page on a desktop and on a phone. It adds a client,
 * a member, a key, a dataset and five connections. Where the npm package has no Chromium for the machine, it needs one at
 * `CHROMIUM_PATH`.
 */
import { type BrowserContext, chromium, type Page } from "playwright-core"
import { setup } from "./Chromium.ts"
import { everyPage, isLoaded } from "./Walk.ts"

const repetitions = 10

const link = URL.parse(process.argv[2] ?? "")
if (link === null) throw new Error("Pass the sign-in link that `npm run demo` prints")

const print = (name: string, ...figures: ReadonlyArray<string>) =>
  process.stdout.write(`${name.padEnd(48)} ${figures.join(", ")}\n`)

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name, level: 1 }).waitFor()

/** A larger shift is seen. */
const maxShift = 0.01

/** In milliseconds. On one machine all answers would be there at once. */
const latency = 40

const watchShifts = `
globalThis.shift = 0
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value
}).observe({ type: "layout-shift", buffered: true })
`

/** A new tab. Without `keepsCache` it loads all files, as on a first visit. */
const pageOf = async (context: BrowserContext, keepsCache: boolean) => {
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send("Network.enable")
  await devTools.send("Network.setCacheDisabled", { cacheDisabled: !keepsCache })
  return { devTools, page }
}

const load = async (context: BrowserContext, path: string, keepsCache: boolean, width = 1280) => {
  const { devTools, page } = await pageOf(context, keepsCache)
  await page.setViewportSize({ width, height: 800 })
  let bytes = 0
  devTools.on("Network.loadingFinished", ({ encodedDataLength }) => bytes += encodedDataLength)
  await page.addInitScript(watchShifts)
  await devTools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: keepsCache ? latency : 0,
    downloadThroughput: -1,
    uploadThroughput: -1
  })
  await page.goto(path, { waitUntil: "commit" })
  await isLoaded(page)
  await page.waitForLoadState("networkidle")
  const shift = await page.evaluate<number>("globalThis.shift")
  await page.close()
  return { bytes, shift }
}

/** Clicks as soon as there is something to click, and notes when the other page is there. */
const clickAtOnce = `
new MutationObserver((_, observer) => {
  if (!globalThis.isClicked) {
    const link = document.querySelector(".navigation a[href$='/clients']")
    if (link === null) return
    globalThis.isClicked = true
    link.click()
  } else if (document.querySelector("h1")?.textContent === "Clients") {
    observer.disconnect()
    globalThis.acted = performance.now()
  }
}).observe(document, { childList: true, subtree: true, characterData: true })
`

/** Milliseconds from the start of each navigation until a click, made as early as possible, has opened another page. */
const firstActions = async (context: BrowserContext, keepsCache: boolean) => {
  const { page } = await pageOf(context, keepsCache)
  await page.addInitScript(clickAtOnce)
  const times: Array<number> = []
  for (let count = 0; count < repetitions; count++) {
    await page.goto("/dashboard/", { waitUntil: "commit" })
    await heading(page, "Clients")
    times.push(Math.round(await page.evaluate<number>("globalThis.acted")))
  }
  await page.close()
  return times
}

/** Counts clicks, whatever page they are on, until the task is done. */
const task = async (context: BrowserContext, name: string, run: (page: Page, customer: Page) => Promise<void>) => {
  const [page, customer] = [await context.newPage(), await context.newPage()]
  let clicks = 0
  for (const each of [page, customer]) {
    await each.exposeFunction("countClick", () => clicks++)
    await each.addInitScript("addEventListener('click', (event) => event.isTrusted && countClick(), true)")
  }
  await page.goto("/dashboard/")
  await isLoaded(page)
  const start = Date.now()
  await run(page, customer)
  print(name, `${clicks} clicks`, `${((Date.now() - start) / 1000).toFixed(1)} s`)
  await page.close()
  await customer.close()
}

const tasks: Readonly<Record<string, (page: Page, customer: Page) => Promise<void>>> = {
  "connect five accounts through a link": async (page, customer) => {
    await page.getByRole("link", { name: "Clients", exact: true }).click()
    await page.getByRole("button", { name: "Add a client" }).first().click()
    await page.getByRole("dialog").getByLabel("Name").fill("Oak & Ivy Flowers")
    await page.getByRole("dialog").getByRole("button", { name: "Add the client" }).click()
    await page.getByRole("link", { name: "Make a connect link" }).click()
    await page.getByRole("button", { name: "Make the link" }).click()
    await page.getByRole("button", { name: "Copy the link" }).click()
    await customer.goto(await page.getByRole("dialog").locator("code").innerText())
    await customer.getByRole("button", { name: "Sign in with Google" }).click()
    await customer.getByRole("link", { name: "Allow", exact: true }).click()
    await customer.getByRole("button", { name: "Connect", exact: true }).click()
    await customer.getByRole("button", { name: "Sign in to Bing Webmaster Tools" }).click()
    await customer.getByRole("link", { name: "Allow", exact: true }).click()
    await customer.getByRole("button", { name: "Connect", exact: true }).click()
    await heading(customer, "Everything is connected")
  },
  "find a failed call": async (page) => {
    await page.getByRole("link", { name: /^See the failed calls of/ }).first().click()
    await page.getByRole("button", { name: /credentials_expired/ }).first().click()
    await page.getByRole("region", { name: "Call" }).getByRole("link", { name: "Reconnect" }).waitFor()
  },
  "invite a colleague for one client": async (page) => {
    await page.getByRole("link", { name: "Members", exact: true }).click()
    await page.getByRole("button", { name: "Add a member" }).first().click()
    await page.getByLabel("E-mail").fill(`colleague-${Date.now()}@example.com`)
    await page.getByLabel("Larchwood Books").check()
    await page.getByRole("button", { name: "Add the member" }).click()
    await page.getByRole("dialog").getByRole("button", { name: /^Copy/ }).click()
  },
  "see a client's usage of last month": async (page) => {
    await page.getByRole("link", { name: "Clients", exact: true }).click()
    await page.getByRole("link", { name: "Larchwood Books" }).first().click()
    await page.getByLabel("Period").click()
    await page.getByRole("option", { name: "Last month" }).click()
    await page.locator(".reloading, [aria-busy=true]").first().waitFor({ state: "detached" })
  },
  "approve a write": async (page) => {
    await page.getByRole("navigation").getByRole("link", { name: /^Approvals/ }).click()
    await page.getByRole("link", { name: /^Overwrite/ }).first().click()
    await page.getByRole("button", { name: "Approve", exact: true }).click()
    await page.getByText("Approved and sent").waitFor()
  },
  "ask the accounts of all clients": async (page) => {
    await page.getByRole("link", { name: "Playground", exact: true }).click()
    await page.getByRole("button", { name: /gsc_top_queries/ }).click()
    await page.getByRole("button", { name: "Ask all clients" }).click()
    await page.getByRole("button", { name: /^Ask \d+ accounts$/ }).click()
    await page.getByRole("region", { name: "Rows of all clients" }).waitFor()
  }
}

const send = async (page: Page, path: string, data: object, key?: string): Promise<unknown> => {
  // Without a key, the session of the page.
  const answer = key === undefined
    ? await page.request.post(path, { data, headers: { "sec-fetch-site": "same-origin" } })
    : await fetch(new URL(path, link), {
      method: "POST",
      body: JSON.stringify(data),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }
    })
  return answer.json()
}

/** A dataset, and a write that waits. */
const prepare = async (page: Page) => {
  const { connections } = Object(await (await page.request.get("/admin/v1/connections?limit=200")).json())
  const of = (provider: string) =>
    connections.find((each: { readonly provider: string; readonly status: string }) =>
      each.provider === provider && each.status === "active"
    )?.id
  const resource = "sc-domain:fernhill.example"
  const report = { report: "gsc.searchanalytics", resource, schedule: null }
  const since = new Date(Date.now() - 60 * 86_400_000).toISOString().slice(0, 10)
  await send(page, "/admin/v1/datasets", { connection_id: of("gsc"), since, ...report })
  const { id: member_id } = Object(await (await page.request.get("/auth/session")).json()).member
  const rights = { access: "read_write", writes: "ask" }
  const { key } = Object(await send(page, "/admin/v1/keys", { name: "Asks first", member_id, ...rights }))
  const range = "'Jon''s Data'!C4"
  const input = { spreadsheet: "sandbox-leads", range, values: [[32]] }
  const asked = Object(
    await send(page, "/v1/call", {
      provider: "gsheets",
      tool: "sheets_update_range",
      connection_id: of("gsheets"),
      input
    }, key)
  )
  if (asked.error?.code !== "approval_required") throw new Error(JSON.stringify(asked))
}

await setup()
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "",
  args: ["--no-sandbox", "--disable-gpu", "--no-zygote", "--disable-quic", "--disable-background-networking"]
})
try {
  const context = await browser.newContext({ baseURL: link.origin, viewport: { width: 1280, height: 800 } })
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  const page = await context.newPage()
  await page.goto(link.href)
  await page.getByRole("button", { name: "Continue" }).click()
  await page.getByRole("link", { name: "Skip this" }).click()
  await heading(page, "Overview")
  await prepare(page)

  const { bytes } = await load(context, "/dashboard/", false)
  print("first page, without a cache", `${(bytes / 1000).toFixed(1)} kB`)
  for (const keepsCache of [false, true]) {
    const times = await firstActions(context, keepsCache)
    print(
      `first click has opened a page, ${keepsCache ? "with" : "without"} a cache`,
      `${Math.min(...times)} ms at best`,
      times.join(" ")
    )
  }
  const pages = await everyPage(page)
  for (const [name, run] of Object.entries(tasks)) await task(context, name, run)
  for (const [kind, path] of pages) {
    const shifts: Array<number> = []
    for (const width of [1280, 390]) shifts.push((await load(context, path, true, width)).shift)
    const isLarge = shifts.some((shift) => shift > maxShift)
    if (isLarge) process.exitCode = 1
    print(`layout shift of ${kind}`, ...shifts.map((shift) => shift.toFixed(4)), ...isLarge ? ["too large"] : [])
  }
} finally {
  await browser.close()
}
