import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { operationFiles, responseFiles } from "../../scripts/client/Modules.ts"
import type { GeneratedFile } from "../../scripts/Formatted.ts"
import { providerDocuments } from "../support/OutsideFolder.ts"

const old = (files: ReadonlyArray<GeneratedFile>) =>
  files.filter(({ path, source }) => readFileSync(path, "utf8") !== source).map(({ path }) => path)

const remedy = "run npm run generate"

describe("The generated modules of the client", () => {
  it("have the operations, inputs and outputs of the providers' tables", () => {
    assert.deepStrictEqual(old(operationFiles()), [], remedy)
  })

  it.skipIf(providerDocuments.isAbsent)(`have the responses of Google's documents${providerDocuments.absence}`, () => {
    assert.deepStrictEqual(old(responseFiles(providerDocuments.path("discovery"))), [], remedy)
  })
})
