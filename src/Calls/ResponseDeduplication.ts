import { Context, Layer } from "effect"
import type { CallId, ConnectionId } from "../Domain/Ids.ts"
import type { JsonText } from "../Providers/JsonText.ts"
import { startOfDay } from "./Log/LogDay.ts"

/** Shorter data costs less than looking for it elsewhere, in characters. */
const shortest = 512

/**
 * The same for the same data of a connection on one UTC day, which is what the log drops and shows together; `undefined`
 * for data that is too short to be kept once only.
 *
 * @param millis of the day, since the epoch
 */
export const nameOfData = (connection: ConnectionId | null, data: JsonText, millis: number): string | undefined =>
  data.text.length < shortest ? undefined : `${startOfDay(millis)} ${connection} ${data.hash}`

/** A call that has its data in the log, or is about to. */
export interface DataHolder {
  readonly call: CallId
  readonly name: string
  /** Nothing was redacted. */
  readonly isAsAnswered: boolean
  isCommitted: boolean
}

/** How many calls are remembered; beyond, all are forgotten, and what they have is kept once more. */
const capacity = 10_000

class DataHolders {
  readonly #byName = new Map<string, DataHolder>()
  /** The database server that has the committed ones; `null` while there are none. */
  server: string | null = null

  /** The call in the log that has this data, if one is known. */
  find(name: string): CallId | undefined {
    const holder = this.#byName.get(name)
    return holder?.isCommitted === true ? holder.call : undefined
  }

  /** A call that has this data as it was answered, or is being logged with it, which may yet fail. */
  findAnswered(name: string): CallId | undefined {
    const holder = this.#byName.get(name)
    return holder?.isAsAnswered === true ? holder.call : undefined
  }

  /** A call is being logged with this data; `end` tells what has come of that. */
  begin(holder: DataHolder): void {
    if (this.#byName.has(holder.name)) return
    if (this.#byName.size >= capacity) this.#byName.clear()
    this.#byName.set(holder.name, holder)
  }

  end(holder: DataHolder, isCommitted: boolean): void {
    holder.isCommitted = isCommitted
    if (!isCommitted && this.#byName.get(holder.name) === holder) this.#byName.delete(holder.name)
  }

  forget(): void {
    this.#byName.clear()
    this.server = null
  }
}

/**
 * Reports are asked for more often than they change: this remembers which calls have what data, so that the log and the
 * cache name one that has it instead of keeping it again. Each instance has its own.
 */
export class LoggedData extends Context.Service<LoggedData, DataHolders>()("openaccounts/Calls/LoggedData") {
  static readonly layer = Layer.sync(LoggedData, () => new DataHolders())
}
