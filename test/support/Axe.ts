import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type * as playwright from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const broken = (page: playwright.Page, runOnly: unknown) =>
  Effect.promise(async (): Promise<ReadonlyArray<string>> => {
    await page.evaluate(axe)
    return page.evaluate(
      `axe.run({ runOnly: ${JSON.stringify(runOnly)} }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`
    )
  })

export const violations = (page: playwright.Page) =>
  broken(page, ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])

/** For a second theme, which differs in colors only. */
export const contrastViolations = (page: playwright.Page) => broken(page, { type: "rule", values: ["color-contrast"] })
