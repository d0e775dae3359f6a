import { Effect, FileSystem, Path, Schedule, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { adminApi } from "../../Cli/ApiClient.ts"
import { resource, resourceCommands } from "../../Cli/Commands/Resource.ts"
import { CommandFailed } from "../../Cli/ExitCode.ts"
import { reportFailure, usageError } from "../../Cli/Failure.ts"
import { optionalFlag, repeatableFlag, requiredFlag, switchFlag } from "../../Cli/Flags.ts"
import { decodeFlags } from "../../Cli/Input.ts"
import { formatTime, idArgument, printRecord } from "../../Cli/Lists.ts"
import { print, printProgress } from "../../Cli/Output.ts"
import type { Column } from "../../Cli/Table.ts"
import { type Dataset, type DatasetChange, NewDataset, reports } from "./Declared.ts"

const tones = { running: "warn", idle: "good", failed: "bad", paused: "dim" } as const

const daysText = ({ days: { capped, done, failed, pending } }: Dataset): string =>
  [
    `${done + capped} of ${done + capped + failed + pending}`,
    ...capped === 0 ? [] : [`${capped} capped`],
    ...failed === 0 ? [] : [`${failed} failed`]
  ].join(", ")

const number = new Intl.NumberFormat("en-US")

const megabytes = (bytes: number): string => `${number.format(Math.round(bytes / 100_000) / 10)} MB`

const columns: ReadonlyArray<Column<Dataset>> = [
  { head: "id", value: ({ id }) => id },
  { head: "name", value: ({ name }) => name },
  { head: "status", value: ({ status }) => status, tone: ({ status }) => tones[status] },
  { head: "days", value: daysText },
  { head: "rows", value: ({ rows }) => number.format(rows) },
  { head: "size", value: ({ bytes }) => megabytes(bytes) },
  {
    head: "next run",
    value: ({ next_run_at, status }) =>
      status === "running" ? "now" : next_run_at === null ? "none" : formatTime(next_run_at)
  }
]

const detail: ReadonlyArray<Column<Dataset>> = [
  ...columns,
  { head: "report", value: ({ report }) => report },
  { head: "resource", value: ({ resource }) => resource },
  { head: "columns", value: ({ dimensions, metrics }) => [...dimensions, ...metrics].join(", ") || "fixed" },
  { head: "since", value: ({ since }) => since },
  { head: "schedule", value: ({ schedule }) => schedule ?? "once" },
  { head: "connection", value: ({ connection_id }) => connection_id },
  {
    head: "last error",
    value: ({ last_error }) =>
      last_error === null ? "none" : `${formatTime(last_error.at)} ${last_error.code}: ${last_error.message}`,
    tone: ({ last_error }) => last_error === null ? undefined : "bad",
    width: 100
  }
]

const datasets = resource<Dataset>({ one: "dataset", many: "datasets", columns, detail })

const progressText = (dataset: Dataset): string =>
  `${dataset.status}: ${daysText(dataset)} days, ${number.format(dataset.rows)} rows, ${megabytes(dataset.bytes)}`

/** Shows the progress until nothing runs, and the dataset as it is then. */
const follow = Effect.fnUntraced(function*(id: string) {
  const api = yield* adminApi
  const dataset = yield* api.datasets.get({ params: { id } }).pipe(
    Effect.tap((dataset) => printProgress(progressText(dataset))),
    Effect.repeat({ while: ({ status }) => status === "running", schedule: Schedule.spaced("1 second") })
  )
  yield* printProgress("")
  yield* printRecord(detail, dataset)
  if (dataset.status === "failed") return yield* new CommandFailed({ exit: "incomplete" })
})

const wait = switchFlag("wait", "Show the progress until all days are fetched")

const create = Command.make(
  "create",
  {
    report: Argument.String("report").pipe(Argument.withDescription(`One of ${reports.join(", ")}`)),
    resource: Argument.String("resource").pipe(
      Argument.withDescription("Such as gsc:sc-domain:acme.com, ga4:properties/123 or sitesearch:https://acme.com/")
    ),
    connection: requiredFlag("connection", "Connection that reads the report", "<connection id>"),
    since: requiredFlag("since", "First day, YYYY-MM-DD", "<day>"),
    dimensions: repeatableFlag("dimension", "Dimension; repeatable; by default those of the report"),
    metrics: repeatableFlag("metric", "Metric; repeatable; by default those of the report"),
    name: optionalFlag("name", "Display name"),
    once: switchFlag("once", "Keep the days up to now and add no new ones"),
    wait
  },
  Effect.fnUntraced(function*({ connection, once, wait, ...flags }) {
    const payload = yield* decodeFlags(NewDataset, {
      ...flags,
      connection_id: connection,
      schedule: once ? null : "daily"
    })
    const api = yield* adminApi
    const created = yield* api.datasets.create({ payload })
    yield* wait ? follow(created.id) : printRecord(detail, created)
  }, reportFailure)
).pipe(
  Command.withDescription("Keep a report as files, from a day on; new days are added daily"),
  Command.withExamples([{
    command: "oa dataset create gsc.searchanalytics gsc:sc-domain:acme.com --connection con_… --since 2025-08-01 --wait"
  }])
)

const list = datasets.list({
  fetch: (api, request) => api.datasets.list(request),
  rows: (page) => page.datasets,
  emptyMessage: "No datasets; `oa dataset create` creates one."
})

const status = Command.make(
  "status",
  { id: idArgument("dataset"), wait },
  Effect.fnUntraced(function*({ id, wait }) {
    if (wait) return yield* follow(id)
    yield* printRecord(detail, yield* (yield* adminApi).datasets.get({ params: { id } }))
  }, reportFailure)
).pipe(Command.withDescription("Show a dataset: its days, rows, size, next run and last error"))

const download = Command.make(
  "download",
  {
    id: idArgument("dataset"),
    to: optionalFlag("to", "Folder for the files; by default one named like the dataset", "<folder>")
  },
  Effect.fnUntraced(function*({ id, to }) {
    const api = yield* adminApi
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = to._tag === "Some" ? to.value : id
    const unwritable = ({ message }: Error) => usageError(`--to: ${folder} cannot be written: ${message}`)
    const { files } = yield* api.datasets.files({ params: { id } })

    const isHere = (file: string, { bytes, modified_at }: typeof files[number]) =>
      fs.stat(file).pipe(
        Effect.map(({ mtime, size }) => Number(size) === bytes && mtime._tag === "Some" && mtime.value >= modified_at),
        Effect.orElseSucceed(() => false)
      )

    let fetched = 0
    let done = 0
    yield* Effect.forEach(files, (entry) =>
      Effect.gen(function*() {
        const file = path.join(folder, entry.name)
        if (!(yield* isHere(file, entry))) {
          yield* Effect.mapError(fs.makeDirectory(path.dirname(file), { recursive: true }), unwritable)
          const content = yield* api.datasets.file({ params: { id, name: entry.name } })
          yield* Stream.run(content, fs.sink(`${file}.part`)).pipe(
            Effect.andThen(fs.rename(`${file}.part`, file)),
            Effect.catchTag("PlatformError", (error) => unwritable(error))
          )
          fetched++
        }
        yield* printProgress(`${++done} of ${files.length} files …`)
      }), { concurrency: 4, discard: true })
    yield* printProgress("")
    yield* print(
      { id, folder, files: files.length, fetched },
      () => `${folder} has all ${files.length} files of ${id}; ${fetched} were new or changed.`
    )
  }, reportFailure)
).pipe(
  Command.withDescription("Download the files of a dataset; a second time, only those that have changed"),
  Command.withExamples([
    { command: "oa dataset download dst_… --to acme" },
    { command: "duckdb -c \"SELECT day, sum(clicks) FROM 'acme/*/*.parquet' GROUP BY day\"" }
  ])
)

const changing = (name: string, payload: DatasetChange, description: string) =>
  datasets.act(name, description, (api, request) => api.datasets.change({ ...request, payload }))

const remove = datasets.delete({
  description: "Delete a dataset; its files stay, unless --files is given",
  flags: { files: switchFlag("files", "Delete the files too") },
  send: (api, request, { files }) => api.datasets.delete({ ...request, query: { files: files ? "true" : "false" } }),
  after: ({ files }) => files ? "Its files are too." : "Its files stay where they are."
})

export const dataset = resourceCommands("dataset", "Datasets: reports kept as Parquet files, day by day", [
  create,
  list,
  status,
  download,
  changing("pause", { paused: true }, "Pause a dataset"),
  changing("resume", { paused: false }, "Resume a dataset, or run it now; tries again what has failed"),
  remove
])
