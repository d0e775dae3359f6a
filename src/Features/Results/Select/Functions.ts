import { TYPE_ANY, TYPE_ARRAY, TYPE_EXPREF, TYPE_NUMBER, TYPE_OBJECT, TYPE_STRING } from "@jmespath-community/jmespath"
import * as Predicate from "effect/Predicate"
import { ExactNumber, exactNumber } from "../../../Domain/Json/ExactNumber.ts"

/** What a reference to an expression gives for an item. */
export type Evaluate = (expression: unknown, item: unknown) => unknown

export interface Parameter {
  readonly types: ReadonlyArray<number>
  readonly optional?: boolean
  readonly variadic?: boolean
}

export interface SelectFunction {
  readonly parameters: ReadonlyArray<Parameter>
  readonly run: (values: ReadonlyArray<unknown>, helpers: Helpers) => unknown
}

interface Helpers {
  readonly evaluate: Evaluate
  readonly equal: (one: unknown, other: unknown) => boolean
}

const takes = (...types: ReadonlyArray<number>): Parameter => ({ types })
const mayTake = (...types: ReadonlyArray<number>): Parameter => ({ types, optional: true })

const asList = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** The library checks only the first value. */
const requireAll = (values: ReadonlyArray<unknown>, type: string, isOf: (value: unknown) => boolean): void => {
  if (!values.every(isOf)) throw new Error(`Invalid type: expected only ${type}.`)
}

/** Code points. */
const characters = (text: unknown): ReadonlyArray<string> => [...String(text)]

const integer = (value: unknown): number => {
  if (!Number.isInteger(value)) throw new Error("Invalid value: expected an integer.")
  return Number(value)
}

const count = (value: unknown): number => {
  if (integer(value) < 0) throw new Error("Invalid value: expected an integer that is not negative.")
  return Number(value)
}

const find = (offsetIn: (text: string, part: string) => number): SelectFunction => ({
  parameters: [takes(TYPE_STRING), takes(TYPE_STRING), mayTake(TYPE_NUMBER), mayTake(TYPE_NUMBER)],
  run: ([text, part, start = 0, end]) => {
    const from = Math.max(0, integer(start))
    const within = characters(text).slice(from, end === undefined ? undefined : integer(end)).join("")
    const offset = part === "" ? -1 : offsetIn(within, String(part))
    return offset < 0 ? null : from + characters(within.slice(0, offset)).length
  }
})

const pad = (join: (text: string, padding: string) => string): SelectFunction => ({
  parameters: [takes(TYPE_STRING), takes(TYPE_NUMBER), mayTake(TYPE_STRING)],
  run: ([text, width, padding = " "]) => {
    if (characters(padding).length !== 1) throw new Error("Invalid value: expected one character to pad with.")
    return join(String(text), String(padding).repeat(Math.max(0, count(width) - characters(text).length)))
  }
})

const splitText = (text: unknown, separator: unknown, most: unknown): ReadonlyArray<string> => {
  const parts = separator === "" ? characters(text) : String(text).split(String(separator))
  const length = most === undefined ? parts.length : count(most)
  return parts.length <= length
    ? parts
    : [...parts.slice(0, length), parts.slice(length).join(String(separator))]
}

const trim = ({ end = false, start = false }): SelectFunction => ({
  parameters: [takes(TYPE_STRING), mayTake(TYPE_STRING)],
  run: ([text, removed = ""]) => {
    const all = characters(text)
    const set = new Set(characters(removed))
    const stays = (character: string) => set.size === 0 ? !/[\s\x85]/.test(character) : !set.has(character)
    const last = end ? all.findLastIndex(stays) : all.length - 1
    const first = start ? all.findIndex(stays) : 0
    return first < 0 ? "" : all.slice(first, last + 1).join("")
  }
})

interface Keyed {
  readonly item: unknown
  readonly key: string | number
}

const keyed = (item: unknown, key: unknown): Keyed => {
  const value = key instanceof ExactNumber ? key.valueOf() : key
  if (typeof value === "string" || typeof value === "number") return { item, key: value }
  throw new Error("Invalid type: expected numbers or texts to order by.")
}

const compareKeys = ({ key: one }: Keyed, { key: other }: Keyed): number => {
  if (typeof one === "string" && typeof other === "string") return compareTexts(one, other)
  if (typeof one === "number" && typeof other === "number") return one - other
  throw new Error("Invalid type: expected only numbers or only texts to order by.")
}

/** Compares by code points: the halves of those above U+FFFF come after every other unit. */
const compareTexts = (one: string, other: string): number => {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const order = rank(one.charCodeAt(at)) - rank(other.charCodeAt(at))
    if (order !== 0) return order
  }
  return one.length - other.length
}

const rank = (unit: number): number => unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit

type Order = (items: ReadonlyArray<Keyed>) => unknown

const order = (run: Order): SelectFunction => ({
  parameters: [takes(TYPE_ARRAY)],
  run: ([items]) => run(asList(items).map((item) => keyed(item, item)))
})

const orderBy = (run: Order): SelectFunction => ({
  parameters: [takes(TYPE_ARRAY), takes(TYPE_EXPREF)],
  run: ([items, expression], { evaluate }) => run(asList(items).map((item) => keyed(item, evaluate(expression, item))))
})

const sorted: Order = (items) => items.toSorted(compareKeys).map(({ item }) => item)

const firstOf = (isBefore: (order: number) => boolean): Order => (items) =>
  items.length === 0 ? null : items.reduce((first, one) => isBefore(compareKeys(one, first)) ? one : first).item

const greatest = firstOf((order) => order > 0)
const least = firstOf((order) => order < 0)

/** The functions that the library lacks, or that count halves of characters, overflow or take names of prototypes. */
export const functions: Readonly<Record<string, SelectFunction>> = {
  contains: {
    parameters: [takes(TYPE_STRING, TYPE_ARRAY), takes(TYPE_ANY)],
    run: ([within, value], { equal }) => {
      if (typeof within === "string") return typeof value === "string" ? within.includes(value) : null
      return asList(within).some((item) => equal(item, value))
    }
  },
  find_first: find((text, part) => text.indexOf(part)),
  find_last: find((text, part) => text.lastIndexOf(part)),
  group_by: {
    parameters: [takes(TYPE_ARRAY), takes(TYPE_EXPREF)],
    run: ([items, expression], { evaluate }) =>
      Object.fromEntries(Map.groupBy(asList(items), (item) => {
        const key = evaluate(expression, item)
        if (typeof key !== "string") throw new Error("Invalid type: group_by() expects texts to group by.")
        return key
      }))
  },
  max: order(greatest),
  max_by: orderBy(greatest),
  merge: {
    parameters: [{ types: [TYPE_OBJECT], variadic: true }],
    // An object without a prototype has `__proto__` as an ordinary field.
    run: (objects) => {
      requireAll(objects, "objects", Predicate.isObject)
      return objects.reduce<object>((merged, one) => Object.assign(merged, one), Object.create(null))
    }
  },
  min: order(least),
  min_by: orderBy(least),
  pad_left: pad((text, padding) => padding + text),
  pad_right: pad((text, padding) => text + padding),
  replace: {
    parameters: [takes(TYPE_STRING), takes(TYPE_STRING), takes(TYPE_STRING), mayTake(TYPE_NUMBER)],
    run: ([text, part, by, most]) => splitText(text, part, most).join(String(by))
  },
  reverse: {
    parameters: [takes(TYPE_STRING, TYPE_ARRAY)],
    run: ([value]) => typeof value === "string" ? characters(value).toReversed().join("") : asList(value).toReversed()
  },
  sort: order(sorted),
  sort_by: orderBy(sorted),
  split: {
    parameters: [takes(TYPE_STRING), takes(TYPE_STRING), mayTake(TYPE_NUMBER)],
    run: ([text, separator, most]) => splitText(text, separator, most)
  },
  to_number: {
    parameters: [takes(TYPE_ANY)],
    run: ([value]) => typeof value === "string" ? exactNumber(value) ?? null : typeof value === "number" ? value : null
  },
  trim: trim({ start: true, end: true }),
  trim_left: trim({ start: true }),
  trim_right: trim({ end: true }),
  zip: {
    parameters: [{ types: [TYPE_ARRAY], variadic: true }],
    run: (values) => {
      requireAll(values, "lists", Array.isArray)
      const lists = values.map(asList)
      const length = lists.reduce((least, list) => Math.min(least, list.length), Infinity)
      return Array.from({ length }, (_, index) => lists.map((list) => list[index]))
    }
  }
}
