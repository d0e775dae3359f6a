import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { dataWarnings, lowQuota } from "../../../src/Providers/Ga4/ReportQuality.ts"
import { ReportResponse } from "../../../src/Providers/Ga4/Responses.ts"

const report = Schema.decodeUnknownSync(ReportResponse)

const sampled = { samplesReadCount: "1", samplingSpaceSize: "9" }

describe("Analytics report quality", () => {
  it.each<readonly [metadata: object, warning?: string]>([
    [{}],
    [{ subjectToThresholding: false, dataLossFromOtherRow: false }],
    [{ schemaRestrictionResponse: {} }],
    [{ subjectToThresholding: true }, "Thresholding"],
    [{ dataLossFromOtherRow: true }, "Cardinality"],
    [{ samplingMetadatas: [sampled] }, "Sampling"],
    [{ dataTruncationReasons: [{ dataTruncationType: "DATA_TRUNCATION_TYPE_PROPERTY" }] }, "Truncation"],
    [{ schemaRestrictionResponse: { activeMetricRestrictions: [{ metricName: "sessions" }] } }, "Restriction"],
    [{ emptyReason: "x" }, "Empty"]
  ])("of several reports with %j is warned of once", (metadata, warning) => {
    const found = dataWarnings([report({ metadata }), report({}), report({ metadata })])
    assert.deepStrictEqual(found.map((text) => text.split(":")[0]), warning === undefined ? [] : [String(warning)])
  })

  it("has the lowest quota of several reports, and null for a missing one", () => {
    const left = (remaining: number) => report({ propertyQuota: { tokensPerDay: { consumed: 1, remaining } } })
    assert.deepStrictEqual(lowQuota([left(19_000), left(18_990)]), {
      tokens_left_today: 18_990,
      tokens_left_hour: null
    })
    assert.strictEqual(lowQuota([left(20_000), report({})]), undefined)
    assert.strictEqual(lowQuota([]), undefined)
  })
})
