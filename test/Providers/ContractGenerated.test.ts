import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { enumerationsFile } from "../../scripts/client/Enumerations.ts"
import { schemaFiles } from "../../scripts/schemas/Modules.ts"
import { providerDocuments } from "../support/OutsideFolder.ts"

describe.skipIf(providerDocuments.isAbsent)(`Generated schemas${providerDocuments.absence}`, () => {
  it("match the output of `npm run generate`", () => {
    const folder = providerDocuments.path("discovery")
    for (const { path, source } of [...schemaFiles(folder), enumerationsFile(folder)]) {
      assert.strictEqual(readFileSync(path, "utf8"), source, path)
    }
  })
})
