import { Predicate } from "effect"
import { endOfString } from "./JsonSyntax.ts"

/** Numbers as they were sent, by the list or object that has them, and their place in it. */
export type LostNumbers = ReadonlyMap<object, ReadonlyMap<string, string>>

/** Shorter ones keep their digits as doubles. */
const leastCharacters = 16
const longNumber = /-?\d[\d.eE+-]{15}[\d.eE+-]*/g

const isLost = (number: string): boolean => String(Number(number)) !== number

/** Before a number that is a string instead. */
const mark = "\0number "

/** Of longer texts, 10 MB of numbers would take a second. */
const maxCharacters = 1_000_000

/** Parses JSON that has numbers which doubles do not show digit by digit, and returns these marked. Else `undefined`. */
export const parseLostNumbers = (text: string): unknown => {
  if (text.length > maxCharacters || !hasLostNumber(text)) return undefined
  let marked = ""
  for (let at = 0; at < text.length;) {
    const string = text.indexOf("\"", at)
    const end = string === -1 ? text.length : endOfString(text, string)
    const between = text.slice(at, string === -1 ? end : string)
    marked += between.length < leastCharacters
      ? between
      : between.replace(longNumber, (number) => isLost(number) ? JSON.stringify(mark + number) : number)
    if (string !== -1) marked += text.slice(string, end)
    at = end
  }
  return marked.length === text.length ? undefined : JSON.parse(marked)
}

/** Also for such digits in a string. */
const hasLostNumber = (text: string): boolean => {
  for (const [number] of text.matchAll(longNumber)) if (isLost(number)) return true
  return false
}

/** The marked numbers of `marked` that `value`, the same value, has as doubles. `undefined` if there are none. */
export const lostNumbers = (value: unknown, marked: unknown): LostNumbers | undefined => {
  const lost = new Map<object, Map<string, string>>()
  const visit = (holder: unknown, other: unknown): void => {
    if (!Predicate.isObjectOrArray(holder) || !Predicate.isObjectOrArray(other)) return
    for (const place in holder) {
      const field: unknown = Reflect.get(holder, place)
      const number: unknown = Object.hasOwn(other, place) ? Reflect.get(other, place) : undefined
      if (typeof field !== "number") visit(field, number)
      else if (typeof number === "string" && number.startsWith(mark)) {
        const places = lost.get(holder) ?? new Map<string, string>()
        lost.set(holder, places.set(place, number.slice(mark.length)))
      }
    }
  }
  visit(value, marked)
  return lost.size === 0 ? undefined : lost
}

export const stringifyWith = (lost: LostNumbers, value: unknown): string =>
  JSON.stringify(value, function withDigits(this: object, place: string, field: unknown) {
    const number = lost.get(this)?.get(place)
    return number === undefined ? field : JSON.rawJSON(number)
  })
