import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type * as playwright from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** The themes differ only in their colours. */
const rules = {
  light: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  dark: ["color-contrast", "link-in-text-block"]
} as const

/** Breaches of WCAG 2.2 AA in the light theme, then in the dark one, which the page keeps. */
export const violations = (page: playwright.Page) =>
  Effect.promise(async (): Promise<ReadonlyArray<string>> => {
    const found: Array<string> = []
    await page.evaluate(axe)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      found.push(
        ...await page.evaluate<ReadonlyArray<string>>(
          `axe.run(${
            JSON.stringify({ runOnly: rules[colorScheme], resultTypes: ["violations"] })
          }).then(({ violations }) =>
            violations.flatMap(({ id, nodes }) =>
              nodes.map(({ html }) => "${colorScheme} " + id + ": " + html.slice(0, 200))))`
        )
      )
    }
    return found
  })
