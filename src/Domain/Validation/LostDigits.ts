import { Predicate } from "effect"
import { ExactNumber, keepsDigits } from "../Json/ExactNumber.ts"
import type { Issue } from "./Issue.ts"

/** Issues for numbers of parsed JSON whose digits a double does not keep. */
export const lostDigits = (json: unknown): ReadonlyArray<Issue> => {
  if (typeof json === "number" || json instanceof ExactNumber) {
    return keepsDigits(String(json))
      ? []
      : [{ path: [], message: "A number keeps about 15 digits, so this one would change: send it as text" }]
  }
  if (!Predicate.isObjectOrArray(json)) return []
  return [...Array.isArray(json) ? json.entries() : Object.entries(json)].flatMap(([name, value]) =>
    lostDigits(value).map(({ message, path }) => ({ path: [name, ...path], message }))
  )
}
