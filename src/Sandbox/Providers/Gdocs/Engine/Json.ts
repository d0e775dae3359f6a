import { Predicate, type Schema } from "effect"
import type { Props } from "./State.ts"

export type Json = Schema.Json

export const isProps = (value: Json | undefined): value is Props => Predicate.isObject(value) && !Array.isArray(value)

export const props = (value: Json | undefined): Props => isProps(value) ? value : {}

export const items = (value: Json | undefined): ReadonlyArray<Json> => Array.isArray(value) ? value : []

export const text = (value: Json | undefined): string => typeof value === "string" ? value : ""

export const number = (value: Json | undefined): number => typeof value === "number" ? value : 0

export const without = (value: Props, ...names: ReadonlyArray<string>): Props =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

/** The fields that have something in them, as the provider answers. */
export const present = (value: Readonly<Record<string, Json | undefined>>): Props =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): ReadonlyArray<[string, Json]> =>
      member === undefined || (isProps(member) && Object.keys(member).length === 0) ? [] : [[name, member]]
    )
  )

export const equal = (left: Json | undefined, right: Json | undefined): boolean => {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((each, index) => equal(each, right[index]))
  }
  if (!isProps(left) || !isProps(right)) return false
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every((name) => equal(left[name], right[name]))
}
