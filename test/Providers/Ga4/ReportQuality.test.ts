import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { ReportResponse } from "../../../src/Providers/Ga4/BatchReports.ts"
import { dataWarnings, lowQuota } from "../../../src/Providers/Ga4/ReportQuality.ts"

const report = Schema.decodeUnknownSync(ReportResponse)

describe("Ga4 report quality", () => {
  it.each([
    { metadata: {}, warning: [] },
    { metadata: { subjectToThresholding: false, dataLossFromOtherRow: false }, warning: [] },
    { metadata: { subjectToThresholding: true }, warning: ["Thresholding"] },
    { metadata: { dataLossFromOtherRow: true }, warning: ["Cardinality"] },
    { metadata: { samplingMetadatas: [{ samplesReadCount: "1", samplingSpaceSize: "9" }] }, warning: ["Sampling"] },
    {
      metadata: { dataTruncationReasons: [{ dataTruncationType: "DATA_TRUNCATION_TYPE_PROPERTY" }] },
      warning: ["Truncation"]
    },
    {
      metadata: { schemaRestrictionResponse: { activeMetricRestrictions: [{ metricName: "sessions" }] } },
      warning: ["Restriction"]
    },
    { metadata: { schemaRestrictionResponse: {} }, warning: [] },
    { metadata: { emptyReason: "x" }, warning: ["Empty"] }
  ])("$metadata is $warning and nothing else", ({ metadata, warning }) => {
    assert.deepStrictEqual(dataWarnings([report({ metadata })]).map((text) => text.split(":")[0]), warning)
  })

  it("what holds for several reports is said once", () => {
    const thresholded = report({ metadata: { subjectToThresholding: true } })
    assert.strictEqual(dataWarnings([thresholded, report({}), thresholded]).length, 1)
  })

  it("of several reports the least that is left counts, and what is not told is not known", () => {
    const left = (remaining: number) => report({ propertyQuota: { tokensPerDay: { consumed: 1, remaining } } })
    assert.deepStrictEqual(lowQuota([left(19_000), left(18_990)]), {
      tokens_left_today: 18_990,
      tokens_left_hour: null
    })
    assert.strictEqual(lowQuota([left(20_000), report({})]), undefined)
    assert.strictEqual(lowQuota([]), undefined)
  })
})
