import { parentPort } from "node:worker_threads"
import { JsonText } from "../../../Domain/Json/JsonText.ts"
import type { Column } from "../../../Domain/Table/Table.ts"
import type { TableSource } from "../../../Domain/Table/TableSource.ts"
import { WrongCell } from "./Parquet.ts"
import { type EndedDay, type Layout, type ReadRows, RowsOfDay } from "./RowsOfDay.ts"

interface Response {
  /** Bytes, if it is long. */
  readonly json: Uint8Array<ArrayBuffer> | string
  readonly source: TableSource | undefined
}

/** `undefined` for a response that has no rows. */
type Read = ReadRows | { readonly wrongCell: string } | undefined

/** What the thread does for a day, and its answers. */
export interface Steps {
  readonly open: { readonly input: { readonly columns: ReadonlyArray<Column>; readonly layout: Layout }; output: void }
  readonly write: { readonly input: Response; readonly output: Read }
  readonly keep: { readonly input: Response; readonly output: Read }
  readonly endPart: { readonly input: { readonly isSummed: boolean }; readonly output: void }
  readonly end: { readonly input: undefined; readonly output: EndedDay }
  readonly close: { readonly input: undefined; readonly output: void }
}

type Step = {
  [Name in keyof Steps]: { readonly name: Name; readonly day: number; readonly input: Steps[Name]["input"] }
}[keyof Steps]

/** The modules of the thread import nothing of `effect` but `Predicate`, because the whole takes 15 MB. */
const days = new Map<number, RowsOfDay>()

const dayOf = (day: number): RowsOfDay => {
  const found = days.get(day)
  if (found === undefined) throw new Error("The day is not open")
  return found
}

const read = (name: "write" | "keep", day: number, { json, source }: Response): Read => {
  const text = typeof json === "string" ? JsonText.trusted(json) : JsonText.trustedBytes(json)
  try {
    return dayOf(day)[name](text, source)
  } catch (error) {
    if (error instanceof WrongCell) return { wrongCell: error.message }
    throw error
  }
}

const answer = ({ day, input, name }: Step): Steps[keyof Steps]["output"] => {
  switch (name) {
    case "open":
      days.set(day, new RowsOfDay(input.columns, input.layout))
      return
    case "write":
    case "keep":
      return read(name, day, input)
    case "endPart":
      return dayOf(day).endPart(input.isSummed)
    case "end":
      return dayOf(day).end()
    case "close":
      days.delete(day)
  }
}

parentPort?.on("message", (step: Step) => {
  const output = answer(step)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
  parentPort?.postMessage(output, output !== undefined && "content" in output ? [output.content.buffer] : [])
})
