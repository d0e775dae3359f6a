import { assert, describe, it } from "@effect/vitest"
import type { CellValue } from "../../../../src/Providers/Gsheets/CellValues.ts"
import { coercions } from "../../../../src/Providers/Gsheets/Writing/Coercions.ts"

describe("A value stored differently than sent", () => {
  it.each<{ sent: CellValue; stored: CellValue; reported: boolean }>([
    { sent: "007", stored: 7, reported: true },
    { sent: "1-2", stored: 46_024, reported: true },
    { sent: "TRUE", stored: true, reported: true },
    { sent: "x", stored: "x", reported: false },
    { sent: 1.5, stored: 1.5, reported: false },
    { sent: false, stored: false, reported: false },
    { sent: null, stored: "before", reported: false },
    { sent: "", stored: "", reported: false },
    { sent: "'007", stored: "007", reported: false },
    { sent: "=sum(a1)", stored: "=SUM(A1)", reported: false },
    { sent: "=1", stored: "1", reported: true }
  ])("$sent stored as $stored: $reported", ({ reported, sent, stored }) => {
    assert.deepStrictEqual(
      coercions([[sent]], { values: [[stored]] }, { top: 4, left: 1 }),
      reported ? [{ cell: "B5", sent, stored }] : []
    )
  })

  it("cells missing in the response are empty", () => {
    assert.deepStrictEqual(coercions([["x", ""]], {}, { top: 0, left: 0 }), [{ cell: "A1", sent: "x", stored: "" }])
  })

  it("is unknown from a response without cells", () => {
    assert.deepStrictEqual(coercions([["x"]], undefined, { top: 0, left: 0 }), [])
  })
})
