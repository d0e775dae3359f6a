import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { type GeneratedFile, operationFiles, responseFiles } from "../../scripts/client/Modules.ts"
import { discoveryFolder } from "../support/Discovery.ts"

const old = (files: ReadonlyArray<GeneratedFile>) =>
  files.filter(({ path, source }) => readFileSync(path, "utf8") !== source).map(({ path }) => path)

const remedy = "run node scripts/generateClient.ts"

describe("The generated modules of the client", () => {
  it("have the operations, inputs and outputs of the providers' tables", () => {
    assert.deepStrictEqual(old(operationFiles()), [], remedy)
  })

  it("have the answers of Google's discovery documents", (context) => {
    assert.deepStrictEqual(old(responseFiles(discoveryFolder(context))), [], remedy)
  })
})
