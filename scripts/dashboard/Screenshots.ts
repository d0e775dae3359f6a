/**
 * Takes the screenshots of the dashboard's README: `node scripts/dashboard/Screenshots.ts <link>`, with the sign-in link
 * that `npm run demo` prints. Where the npm package has no Chromium for the machine, it needs one at `CHROMIUM_PATH`.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { chromium, type Page } from "playwright-core"
import { setup } from "./Chromium.ts"

const folder = join(import.meta.dirname, "../../docs/dashboard")

/** Bytes. They are part of every clone. */
const maxSize = 120_000

interface Screenshot {
  readonly name: string
  readonly colorScheme: "light" | "dark"
  readonly open: (page: Page) => Promise<void>
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 }).waitFor()

const screenshots: ReadonlyArray<Screenshot> = [
  {
    name: "overview",
    colorScheme: "light",
    open: async (page) => {
      await page.goto("/dashboard/")
      await page.locator(".chart svg").waitFor()
    }
  },
  {
    name: "connection",
    colorScheme: "dark",
    open: async (page) => {
      await page.goto("/dashboard/connections?status=expired")
      await page.getByRole("link", { name: "Larchwood: Analytics", exact: true }).click()
      await heading(page, "Larchwood: Analytics")
    }
  },
  {
    name: "logs",
    colorScheme: "light",
    open: async (page) => {
      await page.goto("/dashboard/logs?outcome=ok&provider=gsc")
      await page.getByRole("button", { name: /gsc_top_queries/ }).first().click()
      await page.getByRole("region", { name: "Rows" }).waitFor()
    }
  },
  {
    name: "playground",
    colorScheme: "dark",
    open: async (page) => {
      await page.goto("/dashboard/playground?operation=gsc%20tool:gsc_top_queries")
      await page.getByLabel("Connection").selectOption({ index: 1 })
      await page.getByLabel("site", { exact: true }).fill("fernhill.example")
      await page.getByRole("button", { name: "Call", exact: true }).click()
      await page.getByText("from the provider").waitFor()
      await page.evaluate("scrollTo(0, 0)")
    }
  }
]

const link = URL.parse(process.argv[2] ?? "")
if (link === null) throw new Error("Pass the sign-in link that `npm run demo` prints")

await mkdir(folder, { recursive: true })
await setup()
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "",
  args: ["--no-sandbox", "--disable-gpu"]
})
try {
  const context = await browser.newContext({ baseURL: link.origin, viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await page.goto(link.href)
  await page.getByRole("button", { name: "Continue" }).click()
  await page.getByRole("link", { name: "Skip this" }).click()
  await heading(page, "Overview")
  for (const { colorScheme, name, open } of screenshots) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    await open(page)
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" })
    await page.waitForLoadState("networkidle")
    const path = join(folder, `${name}.webp`)
    // Playwright itself writes only PNG and JPEG, which are two to four times as large.
    const { data } = await devTools.send("Page.captureScreenshot", { format: "webp", quality: 85 })
    const image = Buffer.from(data, "base64")
    if (image.length > maxSize) throw new Error(`${path} would have ${image.length} bytes, more than ${maxSize}`)
    await writeFile(path, image)
    process.stdout.write(`${path}: ${image.length} bytes\n`)
  }
} finally {
  await browser.close()
}
