import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { jsonSchemaOf } from "../../../src/Providers/Catalog/JsonSchema.ts"
import { DocumentReference, SpreadsheetReference } from "../../../src/Providers/Google/FileReference.ts"
import { compileJsonSchema } from "../../support/InputSchema.ts"

const id = "1fLfF7Mx-Vt_ZZSYJ3ksfEIcH9gEV5Fnat4tPewazyug"

const documents: ReadonlyArray<readonly [address: string, ref: DocumentReference]> = [
  [id, { documentId: id }],
  [`https://docs.google.com/document/u/1/d/${id}/preview`, { documentId: id }],
  [`https://docs.google.com/document/d/${id}/edit?tab=t.0`, { documentId: id, tab: "t.0" }],
  [`https://docs.google.com/document/d/${id}/edit?usp=x&tab=t.kdr8#heading=h.aa1`, {
    documentId: id,
    tab: "t.kdr8",
    heading: "h.aa1"
  }],
  [`https://docs.google.com/document/d/${id}/edit?tab=100%`, { documentId: id, tab: "100%" }],
  [`https://drive.google.com/file/d/${id}/view`, { documentId: id }],
  [`https://drive.google.com/open?id=${id}`, { documentId: id }],
  [`https://drive.google.com/open?usp=drive_link&id=${id}`, { documentId: id }],
  [`https://drive.google.com/open?id=${id}&usp=drive_fs`, { documentId: id }],
  [`https://drive.google.com/open?authuser=0&id=${id}&usp=drive_link#x`, { documentId: id }],
  [`https://drive.google.com/uc?export=download&id=${id}`, { documentId: id }],
  [`https://docs.google.com/uc?id=${id}&export=download`, { documentId: id }],
  [`https://drive.google.com/u/0/uc?id=${id}&export=download`, { documentId: id }],
  [`https://drive.usercontent.google.com/download?id=${id}&confirm=t`, { documentId: id }],
  [`https://drive.google.com/file/u/1/d/${id}/view`, { documentId: id }],
  [`https://docs.google.com/file/d/${id}/edit`, { documentId: id }],
  [`https://docs.google.com/document/?usp=x&id=${id}`, { documentId: id }]
]

const spreadsheets: ReadonlyArray<readonly [address: string, ref: SpreadsheetReference]> = [
  [id, { spreadsheetId: id }],
  [`https://docs.google.com/spreadsheets/d/${id}/edit#gid=0`, { spreadsheetId: id, gid: 0 }],
  [`https://docs.google.com/spreadsheets/d/${id}/edit?gid=1811#gid=1811`, { spreadsheetId: id, gid: 1811 }],
  [`https://docs.google.com/spreadsheets/d/${id}/edit#gid=all`, { spreadsheetId: id }]
]

describe("A document reference", () => {
  const decode = Schema.decodeUnknownResult(DocumentReference)
  const accepts = compileJsonSchema(jsonSchemaOf(DocumentReference))

  it.each(documents)("accepts %s, and is written as it is read", (address, ref) => {
    assert.deepStrictEqual(decode(address), Result.succeed(ref))
    assert.isTrue(accepts(address))
    assert.deepStrictEqual(decode(Schema.encodeSync(DocumentReference)(ref)), Result.succeed(ref))
  })

  it.each([
    "",
    "two words",
    `https://docs.google.com/spreadsheets/d/${id}/edit`,
    "https://docs.google.com/document/d/e/2PACX-1vT/pub",
    `https://example.com/document/d/${id}`,
    `https://docs.google.com.example.com/document/d/${id}`,
    `https://docs.google.com/spreadsheets/?id=${id}`,
    `https://drive.google.com/drive/folders/${id}`,
    `https://example.com/open?id=${id}`,
    "https://drive.google.com/open?id=&usp=drive_fs"
  ])("refuses %j", (address) => {
    assert.isTrue(Result.isFailure(decode(address)))
    assert.isFalse(accepts(address))
  })
})

describe("A spreadsheet reference", () => {
  const decode = Schema.decodeUnknownResult(SpreadsheetReference)

  it.each(spreadsheets)("accepts %s, and is written as it is read", (address, ref) => {
    assert.deepStrictEqual(decode(address), Result.succeed(ref))
    assert.deepStrictEqual(decode(Schema.encodeSync(SpreadsheetReference)(ref)), Result.succeed(ref))
  })

  it("refuses the address of a document", () =>
    assert.isTrue(Result.isFailure(decode(`https://docs.google.com/document/d/${id}/edit`))))
})
