import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { enumerationsFile } from "../../scripts/client/Enumerations.ts"
import { type DiscoverySchema, isPreview } from "../../scripts/schemas/Discovery.ts"
import { schemaFiles } from "../../scripts/schemas/Modules.ts"
import { jsonSchemaOf } from "../../src/Providers/Catalog/JsonSchema.ts"
import { propertiesRunRealtimeReport, propertiesRunReport } from "../../src/Providers/Ga4/Endpoints.ts"
import { documentsBatchUpdate } from "../../src/Providers/Gdocs/Endpoints.ts"
import {
  spreadsheetsBatchUpdate,
  spreadsheetsCreate,
  valuesBatchUpdate
} from "../../src/Providers/Gsheets/Endpoints.ts"
import type { RawEndpoint } from "../../src/Providers/Provider.ts"
import { discovery, type GoogleOrigin } from "../support/Discovery.ts"
import { providerDocuments } from "../support/OutsideFolder.ts"

/** Enum values that a rule excludes or requires, unlike the document. */
const ruledValues: Record<string, ReadonlyArray<string>> = {
  "Cohort.dimension": ["firstSessionDate"],
  "CohortsRange.granularity": ["GRANULARITY_UNSPECIFIED"],
  "BatchUpdateValuesRequest.valueInputOption": ["INPUT_VALUE_OPTION_UNSPECIFIED"]
}

/** Messages that are not in the document. */
const handWritten = ["WrittenRange"]

const Definition = Schema.Struct({
  properties: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Struct({ enum: Schema.optionalKey(Schema.Array(Schema.String)) }))
  )
})
const definitionsOf = (endpoint: RawEndpoint) =>
  Schema.decodeUnknownSync(Schema.Struct({ $defs: Schema.Record(Schema.String, Definition) }))(
    jsonSchemaOf(endpoint.input)
  ).$defs

const enums = (message: string, properties: Readonly<Record<string, Pick<DiscoverySchema, "enum">>> = {}) =>
  Object.fromEntries(
    Object.entries(properties).map(([field, property]) => [
      field,
      (property.enum ?? []).filter((value) => !ruledValues[`${message}.${field}`]?.includes(value))
    ])
  )

describe.skipIf(providerDocuments.isAbsent)(`Generated schemas${providerDocuments.absence}`, () => {
  it("match the output of `npm run generate`", () => {
    const folder = providerDocuments.path("discovery")
    for (const { path, source } of [...schemaFiles(folder), enumerationsFile(folder)]) {
      assert.strictEqual(readFileSync(path, "utf8"), source, path)
    }
  })

  for (
    const [origin, endpoint] of [
      ["ga4Data", propertiesRunReport],
      ["ga4Data", propertiesRunRealtimeReport],
      ["gsheets", valuesBatchUpdate],
      ["gsheets", spreadsheetsCreate],
      ["gsheets", spreadsheetsBatchUpdate],
      ["gdocs", documentsBatchUpdate]
    ] satisfies ReadonlyArray<readonly [GoogleOrigin, RawEndpoint]>
  ) {
    it(`${endpoint.id} has every field and enum value of its messages except previews`, () => {
      const { schemas } = discovery(origin)
      const definitions = Object.entries(definitionsOf(endpoint)).filter(([name]) => !handWritten.includes(name))
      assert.isNotEmpty(definitions)
      for (const [message, { properties }] of definitions) {
        const documented = Object.entries(schemas[message]?.properties ?? {}).filter(([, field]) => !isPreview(field))
        assert.deepStrictEqual(
          { message, fields: enums(message, properties) },
          { message, fields: enums(message, Object.fromEntries(documented)) }
        )
      }
    })
  }
})
