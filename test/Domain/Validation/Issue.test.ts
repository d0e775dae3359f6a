import { assert, describe, it } from "@effect/vitest"
import { listIssues } from "../../../src/Domain/Validation/Issue.ts"

const issues = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: ["input", index], message: "Required" }))

describe("Listed issues", () => {
  it("are the first 100, and one that says how many more there are", () => {
    assert.deepStrictEqual(listIssues(issues(350)), [
      ...issues(100),
      { path: ["input", 349], message: "There are at least 250 more issues" }
    ])
  })

  it("are cut", () => {
    const [issue] = listIssues([{ path: ["k".repeat(300), 7], message: "m".repeat(10_000) }])
    assert.deepStrictEqual(issue, { path: [`${"k".repeat(200)}…`, 7], message: `${"m".repeat(5000)}…` })
  })

  it("take less than 1 MiB", () => {
    const path = Array.from({ length: 64 }, () => "\u0001".repeat(1000))
    const listed = listIssues(Array.from({ length: 100 }, () => ({ path, message: "\uD800".repeat(100_000) })))
    const bytes = Buffer.byteLength(JSON.stringify(listed))
    assert.isBelow(bytes, 1_048_576)
    assert.isAbove(bytes, 500_000)
    assert.match(listed.at(-1)?.message ?? "", new RegExp(`^There are at least ${101 - listed.length} more issues$`))
  })
})
