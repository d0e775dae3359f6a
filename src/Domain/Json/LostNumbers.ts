import { Predicate } from "effect"
import { ExactNumber, parseNumbers } from "./ExactNumber.ts"

/** Numbers as they were sent, by the list or object that contains them and their index or name there. */
export type LostNumbers = ReadonlyMap<object, ReadonlyMap<string, ExactNumber>>

/** Shorter ones keep their digits as doubles. */
const longNumber = /\d[\d.eE+-]{15}/

/** Longer texts are not parsed again: 10 MB of numbers would take a second. */
const maxCharacters = 1_000_000

/** Parses JSON that may have numbers which doubles do not show digit by digit. Else `undefined`. */
export const parseLongNumbers = (text: string): unknown =>
  text.length > maxCharacters || !longNumber.test(text) ? undefined : parseNumbers(text)

/** `value` and `exact` are the same JSON. Returns the exact numbers that `value` has as doubles, if there are any. */
export const lostNumbers = (value: unknown, exact: unknown): LostNumbers | undefined => {
  const lost = new Map<object, Map<string, ExactNumber>>()
  const visit = (holder: unknown, other: unknown): void => {
    if (!Predicate.isObjectOrArray(holder) || !Predicate.isObjectOrArray(other)) return
    for (const place in holder) {
      const field: unknown = Reflect.get(holder, place)
      const number: unknown = Object.hasOwn(other, place) ? Reflect.get(other, place) : undefined
      if (typeof field !== "number") visit(field, number)
      else if (number instanceof ExactNumber && longNumber.test(number.text)) {
        const places = lost.get(holder) ?? new Map<string, ExactNumber>()
        lost.set(holder, places.set(place, number))
      }
    }
  }
  visit(value, exact)
  return lost.size === 0 ? undefined : lost
}

export const stringifyWith = (lost: LostNumbers, value: unknown): string =>
  JSON.stringify(value, function withDigits(this: object, place: string, field: unknown) {
    return lost.get(this)?.get(place)?.toJSON() ?? field
  })
