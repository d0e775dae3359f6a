import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { adminApi, callerFlags, keyApi } from "../../Cli/ApiClient.ts"
import { allFlag, filterFlags } from "../../Cli/Commands/Logs/FilterFlags.ts"
import { reportFailure } from "../../Cli/Failure.ts"
import { choiceFlag, optionalFlag } from "../../Cli/Flags.ts"
import { decodeFlags } from "../../Cli/Input.ts"
import { formatTime } from "../../Cli/Lists.ts"
import { print, printNote } from "../../Cli/Output.ts"
import { type Column, table } from "../../Cli/Table.ts"
import { type StatsBucket, StatsDimension, StatsQuery } from "../../Domain/Calls/Stats.ts"

const percent = (part: number, whole: number): string => `${Math.round(1000 * part / whole) / 10} %`

const figures: ReadonlyArray<Column<StatsBucket>> = [
  { head: "calls", value: ({ calls }) => `${calls}` },
  {
    head: "errors",
    value: ({ calls, errors }) => errors === 0 ? "0" : `${errors} (${percent(errors, calls)})`,
    tone: ({ errors }) => errors === 0 ? undefined : "bad"
  },
  { head: "refused", value: ({ refused }) => `${refused}` },
  { head: "cached", value: ({ cached, calls }) => cached === 0 ? "0" : `${cached} (${percent(cached, calls)})` },
  { head: "p50", value: ({ p50_ms }) => `${Math.round(p50_ms)} ms` },
  { head: "p95", value: ({ p95_ms }) => `${Math.round(p95_ms)} ms` },
  { head: "cost", value: ({ cost_usd }) => `$${cost_usd}` }
]

export const stats = Command.make(
  "stats",
  {
    all: allFlag,
    since: filterFlags.since,
    until: filterFlags.until,
    bucket: choiceFlag("bucket", ["hour", "day"], "Figures for each hour or each day, in UTC; by default for each day"),
    group_by: choiceFlag("by", StatsDimension.literals, "Figures for each of its values"),
    group: optionalFlag("group", "With --by, only the figures of this value")
  },
  Effect.fnUntraced(function*({ all, ...flags }) {
    const query = yield* decodeFlags(Schema.Struct(StatsQuery), flags)
    const { group_by } = query
    const found = yield* all
      ? Effect.flatMap(adminApi, (api) => api.adminStats.read({ query }))
      : Effect.flatMap(keyApi, (api) => api.stats.read({ query }))
    const columns: ReadonlyArray<Column<StatsBucket>> = [
      { head: query.bucket ?? "day", value: ({ start }) => formatTime(start) },
      ...(group_by === undefined ? [] : [{ head: group_by, value: ({ group }: StatsBucket) => group ?? "(none)" }]),
      ...figures
    ]
    yield* print(found, (style) => found.buckets.length === 0 ? "No calls." : table(columns, found.buckets, style))
    if (found.truncated) yield* printNote("There is more: shorten the time with --since and --until.")
  }, reportFailure)
).pipe(
  Command.withDescription("Count the calls that the key can see, of the last 7 days or any 90 days"),
  Command.withExamples([
    { command: "oa stats --by provider" },
    { command: "oa stats --by client --group cli_…", description: "Those of one client" },
    { command: "oa stats --all --by error_code --since 2026-11-01", description: "All calls, with the admin token" }
  ]),
  Command.withGlobalFlags(callerFlags)
)
