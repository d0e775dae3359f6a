/**
 * Films the demo for the README: `node scripts/dashboard/Film.ts` starts a demo with data of its own and writes
 * `docs/demo.webp`. Needs `img2webp` (on Debian: `apt install webp`) and, where the npm package has no Chromium for the
 * machine, one at `CHROMIUM_PATH`.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { execFileSync, spawn } from "node:child_process"
import { mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium, type Locator, type Page } from "playwright-core"
import { freePort } from "../FreePort.ts"
import { setup } from "./Chromium.ts"

const root = join(import.meta.dirname, "../..")
const target = join(root, "docs/demo.webp")
const font = join(root, "node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2")

/** Bytes. They are part of every clone. */
const maxSize = 1_500_000

const viewport = { width: 1120, height: 720 }

const folder = await mkdtemp(join(tmpdir(), "film-"))
const dataDir = join(folder, "data")
const frames: Array<string> = []

/** Shows the page for some milliseconds. */
const shoot = async (page: Page, shown: number) => {
  const file = join(folder, `${frames.length}.png`)
  await page.screenshot({ path: file })
  frames.push("-d", `${shown}`, file)
}

const startDemo = async () => {
  const port = await freePort()
  const demo = spawn(join(root, "bin/openaccounts"), ["demo"], {
    env: { ...process.env, PORT: `${port}`, BASE_URL: `http://localhost:${port}`, DATA_DIR: dataDir, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  let output = ""
  await new Promise<void>((resolve, reject) => {
    demo.once("exit", () => reject(new Error(`The demo has ended:\n${output}`)))
    demo.stdout.on("data", (text: Buffer) => {
      output += text.toString()
      if (output.includes("Ctrl-C ends the demo")) resolve()
    })
  })
  // What a reader would see with the usual port.
  return { demo, url: `http://localhost:${port}`, output, shown: output.replaceAll(`${port}`, "8787") }
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** A page that looks like a terminal. */
const openTerminal = async (browser: Browser, title: string) => {
  const page = await browser.newPage({ viewport })
  const mono = await readFile(font, "base64")
  let text = ""
  const print = async (more: string) => {
    text += more
    await page.setContent(`<style>
      @font-face { font-family: mono; src: url(data:font/woff2;base64,${mono}) }
      body { margin: 0; background: #14181d; color: #d7dde4; font: 20px/1.5 mono }
      h1 { margin: 0; padding: 10px 24px; background: #20262d; color: #93a0ad; font: inherit; font-size: 15px }
      pre { margin: 20px 24px; white-space: pre-wrap; font: inherit }
    </style><h1>${escaped(title)}</h1><pre>${escaped(text)}</pre>`)
    await page.evaluate("document.fonts.ready.then(() => true)")
  }
  const type = async (prompt: string, command: string) => {
    await print(prompt)
    for (let at = 0; at < command.length; at += 5) {
      await print(command.slice(at, at + 5))
      await shoot(page, 90)
    }
    await print("\n")
  }
  return { page, print, type }
}

const send = async (url: string, path: string, body?: object): Promise<unknown> => {
  const token = (await readFile(join(dataDir, "demo/admin-token"), "utf8")).trim()
  const response = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${token}` },
    ...body && { method: "POST", body: JSON.stringify(body) }
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}

/** An agent whose writes wait for a person. */
const connectAgent = async (url: string) => {
  const { members } = Object(await send(url, "/admin/v1/members"))
  const member = members.find(({ email }: { readonly email: string }) => email === "demo@example.com")
  const rights = { name: "Stock agent", access: "read_write", writes: "ask", undo: true }
  const { key } = Object(await send(url, "/admin/v1/keys", { member_id: member.id, ...rights }))
  const agent = new Client({ name: "film", version: "1.0.0" })
  const headers = { authorization: `Bearer ${key}` }
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  return agent
}

const signIn = async (browser: Browser, link: string) => {
  const context = await browser.newContext({ viewport, baseURL: new URL(link).origin, reducedMotion: "reduce" })
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole("button", { name: "Continue" }).click()
  await page.getByRole("link", { name: "Skip this" }).click()
  await page.locator(".chart svg").waitFor()
  return page
}

/** A pointer, which screenshots do not have. */
const pointAt = async (page: Page, locator: Locator) => {
  const box = await locator.boundingBox()
  if (box === null) throw new Error("There is nothing to point at")
  const from = { x: viewport.width * 0.6, y: viewport.height * 0.8 }
  const to = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  for (const part of [0.25, 0.5, 0.75, 1]) {
    const [x, y] = [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part]
    await page.evaluate(`(() => {
      const dot = document.querySelector("#pointer") ?? document.createElement("div")
      dot.id = "pointer"
      dot.style.cssText = "position: fixed; z-index: 9999; width: 18px; height: 18px; border-radius: 9px;" +
        "background: #e5484d; opacity: 0.8; pointer-events: none; left: ${x - 9}px; top: ${y - 9}px"
      document.body.append(dot)
    })()`)
    await shoot(page, 110)
  }
}

const film = async (browser: Browser, { output, shown, url }: Awaited<ReturnType<typeof startDemo>>) => {
  const terminal = await openTerminal(browser, "Terminal")
  await terminal.type("$ ", "npm run demo")
  const [first = "", rest = ""] = shown.split("Providers: the built-in sandbox")
  await terminal.print(first.replace(/#oal_\S+/, "#oal_…"))
  await shoot(terminal.page, 1300)
  const calls = /One call for each provider.*?(?=\n\n)/s.exec(rest)?.[0] ?? ""
  await terminal.print(`\n${calls}\n`)
  await shoot(terminal.page, 1900)

  const dashboard = await signIn(browser, /http\S+#oal_\S+/.exec(output)?.[0] ?? "")
  await shoot(dashboard, 2600)

  const agent = await connectAgent(url)
  const chat = await openTerminal(browser, "An agent, connected to /mcp with a key whose writes ask first")
  await chat.type("> ", "Raised bed kits came in: set their stock to 32.")
  const range = "'Jon''s Data'!C4"
  const write = { spreadsheet: "sandbox-leads", range, values: [[32]] }
  await chat.print(`\ncalls sheets_update_range\n  ${JSON.stringify(write)}\n`)
  await shoot(chat.page, 1500)
  const asked = await agent.callTool({ name: "sheets_update_range", arguments: write })
  const refusal = JSON.stringify(asked.structuredContent)
  const approval = /apr_\w+/.exec(refusal)?.[0]
  if (approval === undefined) throw new Error(refusal)
  await chat.print(
    `\n  approval_required: a person decides about this write, at\n  http://localhost:8787/dashboard/approvals/${approval}\n`
  )
  await shoot(chat.page, 2000)

  await dashboard.goto(`/dashboard/approvals/${approval}`)
  await dashboard.locator("ins", { hasText: "32" }).waitFor()
  await shoot(dashboard, 2600)
  const approve = dashboard.getByRole("button", { name: "Approve" })
  await pointAt(dashboard, approve)
  await approve.click()
  await dashboard.getByText("Approved and sent").waitFor()
  await shoot(dashboard, 1900)

  const answer = await agent.callTool({ name: "get_approval", arguments: { approval } })
  const status = /"status":"(\w+)"/.exec(JSON.stringify(answer.structuredContent))?.[1]
  await chat.print(`\ncalls get_approval\n  ${status}: the write was sent once, as it was shown.\n`)
  await shoot(chat.page, 1700)

  await dashboard.goto("/dashboard/logs?provider=gsheets")
  await dashboard.getByRole("button", { name: /sheets_update_range/ }).first().click()
  await dashboard.getByText("Undo", { exact: false }).first().waitFor()
  await dashboard.waitForLoadState("networkidle")
  await shoot(dashboard, 2800)
  await agent.close()
}

await setup()
const started = await startDemo()
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-zygote"]
})
try {
  await film(browser, started)
  execFileSync("img2webp", ["-loop", "0", "-lossy", "-q", "72", "-m", "6", ...frames, "-o", target])
  const { size } = await stat(target)
  if (size > maxSize) throw new Error(`${target} has ${size} bytes, more than ${maxSize}`)
  process.stdout.write(`${target}: ${size} bytes\n`)
} finally {
  await browser.close()
  started.demo.kill()
  await rm(folder, { recursive: true, force: true })
}
