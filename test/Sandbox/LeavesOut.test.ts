import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { Request as DocumentRequest } from "../../src/Providers/Gdocs/Generated.ts"
import { Request as SheetRequest } from "../../src/Providers/Gsheets/Generated.ts"
import { resolveDimension, resolveMetric } from "../../src/Sandbox/Providers/Ga4/Columns.ts"
import { decodeBatchUpdate } from "../../src/Sandbox/Providers/Gdocs/Engine/BatchUpdate.ts"
import { batchUpdate as updateDocument } from "../../src/Sandbox/Providers/Gdocs/Engine/BatchUpdate.ts"
import { recordedTraffic } from "../support/OutsideFolder.ts"
import { blank } from "./Providers/Gdocs/Engine/DocumentFixture.ts"
import { area, batchUpdate, call, oneTab } from "./Providers/Gsheets/Engine/SpreadsheetFixture.ts"

const sheet = oneTab([["Name", 2], ["x".repeat(100), "=A1"]])

const textOf = (result: Result.Result<unknown, { readonly code: number; readonly message: string }>) =>
  Result.match(result, { onSuccess: () => "200", onFailure: ({ code, message }) => `${code} ${message}` })

const textOfCall = (endpoint: string, options: Parameters<typeof call>[2]) => {
  const { body, status } = call(sheet, endpoint, options)
  return `${status} ${body.error?.message}`
}

const inSheets = (request: object) => {
  const { body, status } = batchUpdate(sheet, request)
  return status === 200 ? "200" : `${status} ${body.error.message}`
}

const inDocuments = (request: object) =>
  textOf(Result.flatMap(decodeBatchUpdate({ requests: [request] }), (update) => updateDocument(blank, update)))

const kinds = [
  ...Object.keys(SheetRequest.fields).map((kind) => ["spreadsheets", kind, inSheets] as const),
  ...Object.keys(DocumentRequest.fields).map((kind) => ["documents", kind, inDocuments] as const)
]

const protectedRange = { addProtectedRange: { protectedRange: { range: { sheetId: 0 } } } }
const namedRange = { createNamedRange: { name: "n", range: { startIndex: 1, endIndex: 2 } } }
const wide = { range: { sheetId: 0, ...area(0, 1, 0, 1) }, fields: "*" }

describe("What the sandbox leaves out", () => {
  it.each(kinds)("is never invalid in %s: %s", (_, kind, run) => {
    const outcome = run({ [kind]: {} })
    if (outcome.includes("sandbox")) {
      const lacks = `The sandbox does not carry out ${kind} requests; the provider does.`
      assert.strictEqual(outcome, `501 requests[0].${kind}: ${lacks}`)
    }
  })

  it.each<[outcome: string, of: string]>([
    [inSheets(protectedRange), "addProtectedRange requests"],
    [inSheets({ repeatCell: { ...wide, cell: { pivotTable: {} } } }), "the field pivotTable of cells"],
    [inDocuments(namedRange), "createNamedRange requests"],
    [
      inDocuments({ replaceAllText: { containsText: { text: "a", searchByRegex: true } } }),
      "searches by regular expression"
    ],
    [
      inSheets({ repeatCell: { ...wide, cell: { userEnteredValue: { formulaValue: "=A1" } } } }),
      "formulas in repeatCell"
    ],
    [
      inSheets({
        repeatCell: { ...wide, cell: { userEnteredFormat: { numberFormat: { type: "NUMBER", pattern: "[Red]0" } } } }
      }),
      "the number format [Red]0"
    ],
    ...[
      ["=1+QUERY(A1:B2)", "the function QUERY of formulas"],
      ["=SUM(A1,SPARKLINE(B1))", "the function SPARKLINE of formulas"],
      ["={1,2}", "the formula ={1,2}"],
      ["=A1:A2*2", "ranges of several cells outside of functions"],
      ["=COUNTIF(A1:A2,\"N*\")", "wildcards in conditions of formulas"],
      ["Mar 3", "the date or time \"Mar 3\" as a person types it"],
      ["12:30 pm", "the date or time \"12:30 pm\" as a person types it"]
    ].map(([value, what = ""]): [string, string] => {
      const query = { valueInputOption: "USER_ENTERED" }
      const { body, status } = call(sheet, "values.update", { range: "C1", query, body: { values: [[value]] } })
      return [`${status} ${body.error?.message}`, what]
    }),
    [textOfCall("values.get", { range: "R1C1" }), "ranges in R1C1 notation"],
    [textOfCall("spreadsheets.create", { body: { properties: { locale: "de_DE" } } }), "the locale de_DE"],
    [
      inSheets({ updateSpreadsheetProperties: { properties: { locale: "ja_JP" }, fields: "locale" } }),
      "the locale ja_JP"
    ],
    ...["bandedRanges", "merges", "protectedRanges"].map((field): [string, string] => {
      const { body, status } = call(sheet, "spreadsheets.create", { body: { sheets: [{ [field]: [{}] }] } })
      return [`${status} ${body.error?.message}`, `sheets[0].${field} of a new spreadsheet`]
    })
  ])("is 501 that says so: %s", (outcome, what) => {
    assert.match(outcome, /^501 /)
    assert.isTrue(outcome.endsWith(`The sandbox does not carry out ${what}; the provider does.`), outcome)
  })
})

const fieldOutcome = (resolved: Effect.Effect<unknown, { readonly code: number; readonly message: string }>) =>
  textOf(Effect.runSync(Effect.result(resolved)))

describe("A field of Analytics", () => {
  it.skipIf(recordedTraffic.isAbsent)(`that Google has is there or 501${recordedTraffic.absence}`, () => {
    const recorded = recordedTraffic.read("google-analytics", "nango__get-metadata.json")
    const { interactions: [{ response: { body } }] } = JSON.parse(recorded)
    const fields: Readonly<Record<"dimensions" | "metrics", ReadonlyArray<{ readonly apiName: string }>>> = body
    const outcomes = [
      ...fields.dimensions.map(({ apiName }) => fieldOutcome(resolveDimension("core", { name: apiName }))),
      ...fields.metrics.map(({ apiName }) => fieldOutcome(resolveMetric("core", { name: apiName })))
    ]
    assert.deepStrictEqual(outcomes.filter((outcome) => !/^200$|^501 The sandbox does not/.test(outcome)), [])
  })
})
