import { Context } from "effect"

/** In bytes. An answer of SQL, or a page of a table, ends there. */
export const maxAnswerBytes = 8_000_000

/**
 * How many bytes of the caller's share an answer of the endpoint takes before it is made: by default those of a page for
 * GET, and none for other methods. An endpoint that waits for a person or a provider takes them after it.
 */
export const AnswerBytes = Context.Reference<number | null>("openaccounts/Api/AnswerBytes", {
  defaultValue: () => null
})
