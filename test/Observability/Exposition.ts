import { assert } from "@effect/vitest"

/** What a scrape says, by series as it is written: `name{label="value"}`. */
export interface Scrape {
  readonly values: ReadonlyMap<string, number>
  /** The type of each family. */
  readonly types: ReadonlyMap<string, string>
}

const sample = /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*\})? (\S+)$/

/** Reads the text format of Prometheus strictly, as https://prometheus.io/docs/instrumenting/exposition_formats says. */
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

/** What has moved between two scrapes, by how much. */
export const moved = (before: Scrape, after: Scrape): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...after.values]
      .map(([series, value]): [string, number] => [series, value - (before.values.get(series) ?? 0)])
      .filter(([, difference]) => difference !== 0)
  )
