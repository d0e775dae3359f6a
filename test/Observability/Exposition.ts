import { assert } from "@effect/vitest"

/** Values by series in the text format, `name{label="value"}`. */
export interface Scrape {
  readonly values: ReadonlyMap<string, number>
  readonly types: ReadonlyMap<string, string>
}

const sample = /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*\})? (\S+)$/

/** Parses strictly: https://prometheus.io/docs/instrumenting/exposition_formats */
export const parse = (text: string): Scrape => {
  assert.isTrue(text.endsWith("\n"))
  const values = new Map<string, number>()
  const types = new Map<string, string>()
  const helps = new Set<string>()
  let family = ""
  for (const line of text.slice(0, -1).split("\n")) {
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (keyword === "HELP") {
      assert.isFalse(helps.has(name), `two HELP lines: ${name}`)
      helps.add(name)
    } else if (keyword === "TYPE") {
      assert.isFalse(types.has(name), `two TYPE lines: ${name}`)
      assert.include(["counter", "gauge", "histogram"], rest)
      assert.isTrue(rest !== "counter" || name.endsWith("_total"), `a counter without _total: ${name}`)
      types.set(name, rest)
      family = name
    } else {
      const [, name = "", labels = "", value = ""] = sample.exec(line) ?? []
      assert.strictEqual(name.replace(/_(bucket|sum|count)$/, ""), family.replace(/_(bucket|sum|count)$/, ""), line)
      assert.match(value, /^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/, line)
      assert.isFalse(values.has(name + labels), `twice: ${line}`)
      values.set(name + labels, Number(value))
    }
  }
  assert.sameMembers([...helps], [...types.keys()])
  return { values, types }
}

export const difference = (before: Scrape, after: Scrape): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...after.values].map(([series, value]): [string, number] => [series, value - (before.values.get(series) ?? 0)])
      .filter(([, change]) => change !== 0)
  )
