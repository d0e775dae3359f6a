import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { jsonText, legible } from "../../src/Cli/Output.ts"
import { record, table } from "../../src/Cli/Table.ts"
import { oaWith } from "./RunCli.ts"

const plain = (text: string) => text
const style = { bold: plain, dim: plain, good: plain, warn: plain, bad: plain }

interface Fruit {
  readonly name: string
  readonly taste: string
}
const columns = [
  { head: "name", value: ({ name }: Fruit) => name },
  { head: "taste", value: ({ taste }: Fruit) => taste, width: 10 }
]

const isColoured = (terminal: boolean, settings: Readonly<Record<string, string>>) =>
  Effect.map(oaWith(["client", "list"], { terminal, settings }), ({ stderr }) => stderr.includes("\u001b["))

describe("what oa prints", () => {
  it("stands in columns, also where a character is two columns wide", () => {
    const rows = [{ name: "梨", taste: "sweet" }, { name: "lemon", taste: "sour" }]
    assert.strictEqual(table(columns, rows, style), "NAME   TASTE\n梨     sweet\nlemon  sour")
  })

  it("goes on in the next line where a column has a width", () => {
    const rows = [{ name: "quince", taste: "sour and bitter" }]
    assert.strictEqual(table(columns, rows, style), "NAME    TASTE\nquince  sour and\n        bitter")
  })

  it("shows one thing a line each", () => {
    assert.strictEqual(record(columns, { name: "fig", taste: "sweet" }, style), "name   fig\ntaste  sweet")
  })

  it("cannot be made to move the cursor, colour the screen or turn the direction of writing", () => {
    const hostile = "a\u001b[2Jb\rc\u009b31md\u202ee\u0007"
    assert.strictEqual(legible(hostile), "a\uFFFD[2Jb\uFFFDc\uFFFD31md\uFFFDe\uFFFD")
    const text = jsonText({ hostile })
    assert.match(text, /^[\x20-\x7e]+$/)
    assert.deepStrictEqual(JSON.parse(text), { hostile })
  })

  it.effect("is coloured on a terminal, unless NO_COLOR says otherwise", () =>
    Effect.gen(function*() {
      assert.isTrue(yield* isColoured(true, {}))
      assert.isTrue(yield* isColoured(true, { NO_COLOR: "" }))
      assert.isFalse(yield* isColoured(true, { NO_COLOR: "1" }))
      assert.isFalse(yield* isColoured(false, {}))
    }))

  it.effect("can be the OpenAPI document, without a server", () =>
    Effect.gen(function*() {
      const { exitCode, stdout } = yield* oaWith(["openapi"])
      assert.strictEqual(exitCode, 0)
      assert.isDefined(JSON.parse(stdout).paths["/v1/call"].post)
    }))
})
