import { Effect, Exit, Predicate } from "effect"
import { InvalidInput } from "../../Api/Errors.ts"
import type { InvalidJson } from "../../Api/Errors/RequestErrors.ts"
import { parseJson } from "../../Calls/Request/CallRequest.ts"
import { parseNumbers } from "../../Domain/Json/ExactNumber.ts"

const maxMessages = 20

/** The longest id in characters. The response repeats it. */
const maxIdLength = 1000

export interface Messages {
  readonly json: unknown
  /** One, except in the batches of one old revision. */
  readonly list: ReadonlyArray<unknown>
  /** The arguments of the call with this id, with every digit of their numbers. */
  readonly exactArguments: (id: unknown) => Readonly<Record<string, unknown>> | undefined
}

export const parseMessages = (bytes: Uint8Array): Effect.Effect<Messages, InvalidJson | InvalidInput> =>
  Exit.match(parseJson(bytes), {
    onFailure: Effect.failCause,
    onSuccess: ({ json, text }) => {
      const list = Array.isArray(json) ? json : [json]
      const message = refusalOf(list)
      return message === undefined
        ? Effect.succeed({ json, list, exactArguments: (id) => argumentsOf(parseNumbers(text), id) })
        : Effect.fail(new InvalidInput({ details: [{ path: [], message }] }))
    }
  })

const argumentsOf = (json: unknown, id: unknown): Readonly<Record<string, unknown>> | undefined => {
  const list: ReadonlyArray<unknown> = Array.isArray(json) ? json : [json]
  const message = list.find((each) => Predicate.hasProperty(each, "id") && String(each.id) === String(id))
  const params = Predicate.hasProperty(message, "params") ? message.params : undefined
  const args = Predicate.hasProperty(params, "arguments") ? params.arguments : undefined
  return Predicate.isObject(args) ? { ...args } : undefined
}

const refusalOf = (list: ReadonlyArray<unknown>): string | undefined => {
  if (list.length === 0 || list.length > maxMessages) return `A batch has 1 to ${maxMessages} messages.`
  return list.some(hasLongId) ? `The id of a message has at most ${maxIdLength} characters.` : undefined
}

const hasLongId = (message: unknown): boolean =>
  Predicate.hasProperty(message, "id") && Predicate.isString(message.id) && message.id.length > maxIdLength

export const toolOf = (message: unknown): string =>
  Predicate.hasProperty(message, "method") && message.method === "tools/call" &&
    Predicate.hasProperty(message, "params") && Predicate.hasProperty(message.params, "name")
    ? String(message.params.name)
    : ""
