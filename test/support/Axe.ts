import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type * as playwright from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

export const violations = (page: playwright.Page) =>
  Effect.promise(async (): Promise<ReadonlyArray<string>> => {
    await page.evaluate(axe)
    return page.evaluate(
      `axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`
    )
  })
