import type { CallId } from "../Api/Ids.ts"
import { idMillis } from "../NewId.ts"
import type { CompletedCall } from "./CallLog.ts"
import { startOfDay } from "./LogDay.ts"

type Answered = Pick<CompletedCall, "id" | "connection_id" | "data">

/** Shorter data costs less than looking for it elsewhere, in characters. */
const shortest = 512

/** How many calls are remembered; beyond, all are forgotten, and what they have is logged once more. */
const capacity = 10_000

/**
 * Reports are asked for more often than they change: this remembers which call of a day and a connection has what data,
 * so that the log can name it instead of keeping the same data again and again.
 */
export class RepeatedData {
  readonly #calls = new Map<string, CallId>()
  /** Where these calls are; `null` while there are none. */
  server: string | null = null

  /** The call that is known to have the same data, if there is one. */
  findFirst(call: Answered): CallId | undefined {
    const name = nameOf(call)
    return name === undefined ? undefined : this.#calls.get(name)
  }

  /** This call is in the log, with its data. */
  remember(call: Answered): void {
    const name = nameOf(call)
    if (name === undefined) return
    if (this.#calls.size >= capacity) this.#calls.clear()
    this.#calls.set(name, call.id)
  }

  forget(): void {
    this.#calls.clear()
    this.server = null
  }
}

/** Only calls of one day are kept together, and only those of one connection are seen by the same members. */
const nameOf = ({ connection_id, data, id }: Answered): string | undefined =>
  data === null || data.text.length < shortest
    ? undefined
    : `${startOfDay(idMillis(id))} ${connection_id} ${data.hash}`
