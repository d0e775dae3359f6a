import { Effect, Stream } from "effect"
import type { HttpClientResponse } from "effect/http"
import { ExportFormat } from "../Api/ListFormat.ts"
import { Failure } from "./Failure.ts"
import { choiceFlag } from "./Flags.ts"
import { printStream } from "./Output.ts"

export const formatFlag = choiceFlag(
  "format",
  ExportFormat.literals,
  "Print everything that the filters select, one entry a line"
)

const cutOff = new Failure({
  exit: "incomplete",
  message: "The export was cut off: it is not complete",
  hint: "Run it again, or go on with --cursor and the id of the last complete line."
})

export const printExport = <E, R>(request: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>) =>
  Effect.flatMap(request, ({ stream }) => printStream(Stream.mapError(Stream.decodeText(stream), () => cutOff)))
