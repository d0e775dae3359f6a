import { assert, describe, it } from "@effect/vitest"
import { findPlaces, plant, sample } from "../../scripts/mutants/Plant.ts"

const source = `import { log } from "./Log.ts"
export const isOdd = (n: number): boolean => n % 2 !== 0
export const first = (names: ReadonlyArray<"a" | "b">, other?: { n: string }) => {
  if (names.length > 3) return names.filter((name) => name !== "a")
  log("Too few", other?.n ?? "none")
  return []
}
`

const planted = (what: string): ReadonlyArray<string> => {
  const place = findPlaces("File.ts", source).filter((found) => found.what === what)
  assert.lengthOf(place, 1)
  return plant(source, place.map((found) => ({ ...found, id: 7 })), "./Active.ts").split("\n")
}

describe("A mutant", () => {
  it.each([
    ["n % 2 !== 0 -> (n % 2) === (0)", 2, "($m(7) ? ((n % 2) === (0)) : (n % 2 !== 0))"],
    ["names.length > 3 -> true", 4, "if (($m(7) ? (true) : (names.length > 3))) return"],
    [`names.filter((name) => name !== "a") -> names`, 4, "return ($m(7) ? (names) : (names.filter("],
    [`log("Too few", other?.n ?? "none") -> nothing`, 5, "{ if (!$m(7)) { log("],
    [`"none" -> ""`, 5, `other?.n ?? ($m(7) ? ("") : ("none"))`]
  ])("%s is in its line beside the original", (what, line, code) => {
    assert.include(planted(what)[line - 1], code)
  })

  it("is no type, import, text for people or empty list", () => {
    const kinds = findPlaces("File.ts", source).filter(({ kind }) => kind === "string" || kind === "array")
    assert.deepStrictEqual(kinds.map(({ what }) => what), [`"a" -> ""`, `"none" -> ""`])
  })
})

describe("A sample", () => {
  const places = findPlaces("File.ts", source)

  it("is the same for the same seed", () => {
    assert.deepStrictEqual(sample(places, 4, "1"), sample(places, 4, "1"))
    assert.notDeepEqual(sample(places, 4, "1"), sample(places, 4, "2"))
  })

  it("has no two mutants that overlap", () => {
    const chosen = sample(places, 100, "1").toSorted((a, b) => a.start - b.start)
    chosen.reduce((before, next) => {
      assert.isBelow(before.end, next.start)
      return next
    })
  })
})
