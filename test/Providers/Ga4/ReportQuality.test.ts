import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { dataWarnings, lowQuota } from "../../../src/Providers/Ga4/ReportQuality.ts"
import { ReportResponse } from "../../../src/Providers/Ga4/Responses.ts"

const report = Schema.decodeUnknownSync(ReportResponse)

describe("Analytics report quality", () => {
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
  ])("$metadata gives the warnings $warning", ({ metadata, warning }) => {
    assert.deepStrictEqual(dataWarnings([report({ metadata })]).map((text) => text.split(":")[0]), warning)
  })

  it("a warning of several reports appears once", () => {
    const thresholded = report({ metadata: { subjectToThresholding: true } })
    assert.strictEqual(dataWarnings([thresholded, report({}), thresholded]).length, 1)
  })

  it("the lowest quota of several reports counts, and a missing quota is null", () => {
    const left = (remaining: number) => report({ propertyQuota: { tokensPerDay: { consumed: 1, remaining } } })
    assert.deepStrictEqual(lowQuota([left(19_000), left(18_990)]), {
      tokens_left_today: 18_990,
      tokens_left_hour: null
    })
    assert.strictEqual(lowQuota([left(20_000), report({})]), undefined)
    assert.strictEqual(lowQuota([]), undefined)
  })
})
