import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { JsonText } from "../../../../src/Domain/Json/JsonText.ts"
import type { Tab } from "../../../../src/Providers/Gsheets/Tabs.ts"
import type { Plans } from "../../../../src/Providers/Gsheets/Undo/Plans.ts"
import { runPlan } from "../../../../src/Providers/Gsheets/Undo/RunPlan.ts"
import type { WrittenStep } from "../../../../src/Providers/Gsheets/Undo/WrittenSteps.ts"

const tab: Tab = { title: "Tab", id: 0, type: "grid", hidden: false, size: { rows: 10, columns: 3 }, frozenRows: 0 }
const area = { tab, top: 1, left: 0, bottom: 4, right: 2 }
const written = [{ area, values: [["a", 1], [null, "=B1"], ["", true]], parsed: true }]

const grid = (...texts: ReadonlyArray<string>) =>
  JsonText.stringify({
    sheets: [{
      properties: {},
      data: [{
        startRow: 1,
        rowData: texts.map((text) => ({
          values: [{ userEnteredValue: { stringValue: text } }, { userEnteredValue: { numberValue: 7 } }]
        }))
      }]
    }]
  })

const step: WrittenStep = {
  kind: "cells",
  file: "file",
  sheetId: 0,
  title: "Tab",
  row: 1,
  column: 0,
  formats: false,
  before: [[{ userEnteredValue: { stringValue: "old" } }]],
  after: [[{ userEnteredValue: { stringValue: "x" } }]]
}

const jobs: { readonly [Name in keyof Plans]: readonly [Plans[Name]["input"], ...answers: ReadonlyArray<JsonText>] } = {
  changes: [{ written }, grid("x", "y", "z")],
  kept: [{ file: "file", written, areas: [area] }, grid("x", "y", "z"), grid("a", "y", "")],
  table: [
    { area: { top: 0, left: 0, bottom: 1, right: 1 } },
    JsonText.stringify({ values: [["a", "b"], [1, 2], [], ["c"]] })
  ],
  steps: [{ kept: [{ ...step }] }],
  undone: [{ steps: [step], tabs: [tab] }, grid("x")]
}

describe("A plan of many cells", () => {
  it.live.each(["changes", "kept", "table", "steps", "undone"] as const)(
    "is made by a thread as here: %s",
    (name) =>
      Effect.gen(function*() {
        const [input, ...answers] = jobs[name]
        const here = yield* runPlan(name, 50_000, input, answers)
        assert.isNotNull(here)
        assert.deepStrictEqual(yield* runPlan(name, 50_001, input, answers), JSON.parse(JSON.stringify(here)))
        const wrong = answers.map(() => JsonText.stringify({ sheets: 1, values: 1 }))
        if (wrong.length > 0) assert.isNull(yield* runPlan(name, 50_001, input, wrong))
      })
  )
})
