import { assert, describe, it } from "@effect/vitest"
import { parseDay } from "../../../src/Providers/Sitesearch/Responses.ts"

describe("Dates of Site Search Webmaster", () => {
  it.each([
    { date: "/Date(1316156400000-0700)/", day: "2011-09-16", why: "midnight in summer" },
    { date: "/Date(1771574400000-0800)/", day: "2026-02-20", why: "midnight in winter" },
    { date: "/Date(1730617200000-0700)/", day: "2024-11-03", why: "the day the clocks go back" },
    { date: "/Date(1399100400000)/", day: "2014-05-03", why: "no offset" },
    { date: "/Date(1700139600000+1030)/", day: "2023-11-16", why: "an offset ahead of UTC, on the day before" },
    { date: "/Date(1700143200000+1030)/", day: "2023-11-17", why: "an offset ahead of UTC" },
    { date: "/Date(-11644473600000)/", day: null, why: "never as the year 1601" },
    { date: "/Date(-62135596800000)/", day: null, why: "never as the year 1" },
    { date: "/Date(99999999999999999)/", day: null, why: "out of range" },
    { date: "2026-02-20", day: null, why: "another form" }
  ])("$date becomes $day ($why)", ({ date, day }) => {
    assert.strictEqual(parseDay(date), day)
  })
})
