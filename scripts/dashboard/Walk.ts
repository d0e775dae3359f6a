import type { Page } from "playwright-core"

const heading = (page: Page) => page.getByRole("heading", { level: 1, includeHidden: true }).first().waitFor()

/** Parts of a page are busy until their data is there. */
export const isLoaded = async (page: Page) => {
  await heading(page)
  await page.locator("[aria-busy=true], .placeholder").first().waitFor({ state: "detached" })
}

/** Of the query, what makes another page. */
const kinds = ["tab", "make", "call", "operation"]

/** The same for pages that differ only in what they show, such as those of two connections. */
const kindOf = ({ pathname, searchParams }: URL): string => {
  const query = kinds.flatMap((name) => {
    const value = searchParams.get(name)
    if (value === null) return []
    return name === "tab" || name === "make" ? [`${name}=${value}`] : [name]
  })
  return [pathname.replaceAll(/\/[a-z]{3,4}_[0-9a-z]{26}/g, "/:id").replace(/\/$/, ""), ...query].join("?")
}

/**
 * One path of each kind of page that a member can reach from the overview, by its kind: by links, by tabs, and by the
 * dialogs of lists.
 */
export const everyPage = async (page: Page): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  const waiting: Array<string> = []
  const add = (href: string) => {
    const url = new URL(href)
    const kind = kindOf(url)
    if (!url.pathname.startsWith("/dashboard") || found.has(kind)) return
    const path = `${url.pathname}${url.search}`
    found.set(kind, path)
    waiting.push(path)
  }
  add(page.url())
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    await page.goto(path)
    await isLoaded(page)
    const links = page.locator(".navigation a[href], main a[href]")
    for (
      const href of await links.evaluateAll((all: ReadonlyArray<{ readonly href: string }>) => all.map((a) => a.href))
    ) {
      add(href)
    }
    for (const tab of await page.locator("main [role=tab]").all()) {
      await tab.click()
      add(page.url())
    }
    const { origin, pathname, search } = new URL(path, page.url())
    // A list makes what it lists.
    const [, what] = /([a-z]+)s$/.exec(pathname) ?? []
    if (what === undefined || search !== "") continue
    const dialog = `${pathname}?make=${what}`
    await page.goto(dialog)
    await isLoaded(page)
    if (await page.getByRole("dialog").count() > 0) add(`${origin}${dialog}`)
  }
  return found
}
