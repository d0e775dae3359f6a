import { Context, Data, Duration, Effect, Layer, Redacted } from "effect"

const databaseOf = (url: string): string => decodeURIComponent(URL.parse(url)?.pathname.slice(1) ?? "")

export class ClickHouseFailed extends Data.TaggedError("ClickHouseFailed")<{ readonly cause: unknown }> {}

const queryTimeout = Duration.seconds(15)

const insertTimeout = Duration.minutes(1)

type Parameters = Readonly<Record<string, unknown>>

/** ClickHouse over HTTP. It counts as away after a statement failed, until one succeeds. */
export class ClickHouse extends Context.Service<ClickHouse, {
  /** The name of the table, with its database, quoted. */
  readonly table: string
  readonly database: string
  readonly query: <A>(statement: string, parameters?: Parameters) => Effect.Effect<ReadonlyArray<A>, ClickHouseFailed>
  readonly command: (statement: string) => Effect.Effect<void, ClickHouseFailed>
  readonly insert: (rows: ReadonlyArray<object>) => Effect.Effect<void, ClickHouseFailed>
  readonly isAway: Effect.Effect<boolean>
}>()("openaccounts/Features/ClickHouse/ClickHouse") {
  static readonly layer = (url: Redacted.Redacted) =>
    Layer.effect(
      ClickHouse,
      Effect.gen(function*() {
        const database = databaseOf(Redacted.value(url))
        const table = [database, "calls"].map((name) => `\`${name.replaceAll(/[\\`]/g, "\\$&")}\``).join(".")
        const { ClickHouseLogLevel, createClient } = yield* Effect.promise(() => import("@clickhouse/client"))
        const client = yield* Effect.acquireRelease(
          Effect.sync(() =>
            createClient({
              url: Redacted.value(url),
              application: "openaccounts",
              request_timeout: Duration.toMillis(insertTimeout),
              log: { level: ClickHouseLogLevel.OFF }
            })
          ),
          (client) => Effect.promise(() => client.close())
        )
        let isAway = false

        const attempt = <A>(timeout: Duration.Duration, run: (signal: AbortSignal) => Promise<A>) =>
          Effect.tryPromise({ try: run, catch: (cause) => new ClickHouseFailed({ cause }) }).pipe(
            Effect.timeoutOrElse({
              duration: timeout,
              orElse: () => Effect.fail(new ClickHouseFailed({ cause: new Error("ClickHouse did not answer in time") }))
            }),
            Effect.tap(() => Effect.sync(() => void (isAway = false))),
            Effect.tapError(() => Effect.sync(() => void (isAway = true)))
          )

        return ClickHouse.of({
          table,
          database,
          query: <A>(query: string, query_params: Parameters = {}) =>
            attempt(queryTimeout, async (abort_signal) => {
              const found = await client.query({ query, query_params, format: "JSONEachRow", abort_signal })
              return await found.json<A>()
            }),
          command: (query) =>
            attempt(insertTimeout, async (abort_signal) => void (await client.command({ query, abort_signal }))),
          insert: (values) =>
            attempt(insertTimeout, async (abort_signal) =>
              void (await client.insert({ table, values, format: "JSONEachRow", abort_signal }))),
          isAway: Effect.sync(() =>
            isAway
          )
        })
      })
    )
}
