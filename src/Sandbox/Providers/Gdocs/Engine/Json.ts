import { Predicate, type Schema } from "effect"
import { isDeepStrictEqual } from "node:util"

export type Json = Schema.Json

export interface JsonObject {
  readonly [name: string]: Json
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  Predicate.isObject(value) && !Array.isArray(value)

export const asObject = (value: Json | undefined): JsonObject => isObject(value) ? value : {}

export const asArray = (value: Json | undefined): ReadonlyArray<Json> => Array.isArray(value) ? value : []

export const asString = (value: Json | undefined): string => typeof value === "string" ? value : ""

export const without = (value: JsonObject, ...names: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

export const withoutEmptyFields = (value: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): ReadonlyArray<[string, Json]> =>
      member === undefined || (isObject(member) && Object.keys(member).length === 0) ? [] : [[name, member]]
    )
  )

export const equal = (left: Json | undefined, right: Json | undefined): boolean => isDeepStrictEqual(left, right)
