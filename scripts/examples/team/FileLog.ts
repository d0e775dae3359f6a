import { Config, Effect, FileSystem, Layer, Option } from "effect"
import {
  type CallEntry,
  CallLog,
  JsonText,
  LogUnavailable,
  matchesFilter,
  seesCall,
  statsOf,
  toLoggedCall,
  type Viewer
} from "openaccounts"

/** A line of JSON for each call. A team would read them into its own analytics. */
export const FileLog = Layer.effect(
  CallLog,
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const file = yield* Config.String("LOG_FILE")
    const text = yield* Effect.orElseSucceed(fs.readFileString(file), () => "")
    const calls: Array<CallEntry> = text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))
    const seenBy = (viewer: Viewer) => calls.filter((call) => seesCall(viewer, call))

    return CallLog.of({
      append: Effect.fn("FileLog.append")(function*(call) {
        yield* fs.writeFileString(file, `${JSON.stringify(call)}\n`, { flag: "a", mode: 0o600 })
        calls.push(call)
      }, Effect.mapError((cause) => new LogUnavailable({ cause }))),

      list: (viewer, filter, { cursor, limit = 50 }) =>
        Effect.sync(() => {
          const found = seenBy(viewer).map(toLoggedCall)
            .filter((call) => matchesFilter(call, filter) && (cursor === undefined || call.id < cursor))
            .toSorted((one, other) => one.id < other.id ? 1 : -1)
          const items = found.slice(0, limit)
          return { items, cursor: found.length > limit ? items.at(-1)?.id ?? null : null }
        }),

      find: (viewer, id) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(seenBy(viewer).find((call) => call.id === id)), (call) => ({
            ...toLoggedCall(call),
            request: call.request === null ? null : JsonText.trusted(call.request),
            response: JsonText.trusted(call.response)
          }))
        ),

      stats: (viewer, request) => Effect.sync(() => statsOf(seenBy(viewer).map(toLoggedCall), request))
    })
  })
)
