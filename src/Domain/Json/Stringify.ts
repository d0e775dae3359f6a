import { Effect } from "effect"
import { JsonText } from "./JsonText.ts"

/** Items of a list that are written before other work gets a turn. They take about 10 ms. */
const turnItems = 5000

/** As `JsonText.stringify`. Other work gets turns while a long list in a field of `value` is written. */
export const stringify = (value: unknown): Effect.Effect<JsonText> =>
  typeof value === "object" && value !== null && Object.values(value).some(isLong)
    ? inTurns(value)
    : Effect.succeed(JsonText.stringify(value))

const isLong = (field: unknown): field is ReadonlyArray<unknown> => Array.isArray(field) && field.length > turnItems

const inTurns = Effect.fnUntraced(function*(value: object) {
  const fields: Array<string> = []
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue
    fields.push(`${JSON.stringify(name)}:${isLong(field) ? yield* listInTurns(field) : JSON.stringify(field)}`)
  }
  return JsonText.trusted(`{${fields.join()}}`)
})

const listInTurns = Effect.fnUntraced(function*(list: ReadonlyArray<unknown>) {
  const parts: Array<string> = []
  for (let from = 0; from < list.length; from += turnItems) {
    parts.push(JSON.stringify(list.slice(from, from + turnItems)).slice(1, -1))
    yield* Effect.yieldNow
  }
  return `[${parts.join()}]`
})
