import { Predicate } from "effect"
import { ExactNumber } from "../Json/ExactNumber.ts"
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

const digitsOf = (number: string): string =>
  number.replace(/e.*$/i, "").replaceAll(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "")

const keepsDigits = (number: string): boolean => {
  const digits = digitsOf(number)
  if (digits === "" || !Number.isFinite(Number(number))) return true
  if (digits.length > 100 || isRounded(number, digits)) return false
  return digitsOf(Number(number).toPrecision(digits.length)) === digits
}

/** JavaScript writes 12345678901234567890 as 12345678901234567000: a client of ours has lost the digits already. */
const isRounded = (number: string, digits: string): boolean =>
  /^-?\d{18,}$/.test(number) && (digits.length === 16 || digits.length === 17)
