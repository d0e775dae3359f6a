import { Context, Effect, Layer, Option, type Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { databaseServer } from "../../Settings.ts"
import { afterCommit } from "../Transaction.ts"
import { listen } from "./Listener.ts"

const tables = ["keys", "sessions", "grants", "members", "connections"] as const

export interface InvalidatedRow {
  readonly table: typeof tables[number]
  readonly id: string
}

type Listener = (row: InvalidatedRow | undefined) => void

export class Invalidation extends Context.Service<Invalidation, {
  /** Runs after the commit of `inTransaction`. If NOTIFY fails, the caches of other instances expire within 500 ms. */
  readonly publish: (row: InvalidatedRow) => Effect.Effect<void>
  readonly subscribe: (listener: Listener) => Effect.Effect<void, never, Scope.Scope>
}>()("openaccounts/Sql/Notify/Invalidation") {
  static readonly layerLocal = Layer.sync(Invalidation, () => {
    const { notify, subscribe } = makeListeners()
    return Invalidation.of({ publish: (row) => afterCommit(Effect.sync(() => notify(row))), subscribe })
  })

  static readonly layerServer = (directUrl: Redacted.Redacted) =>
    Layer.effect(
      Invalidation,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { notify, subscribe } = makeListeners()
        yield* listen({ url: directUrl, applicationName: "openaccounts listener" }, channel, {
          onListening: () => notify(undefined),
          onPayload: (payload) => notify(parse(payload))
        })
        const notifyOthers = (row: InvalidatedRow) =>
          Effect.catch(
            sql`SELECT pg_notify(${channel}, ${print(row)})`,
            (error) => Effect.logWarning(`NOTIFY failed: other instances see the change of ${row.id} late`, error)
          )

        return Invalidation.of({
          publish: (row) => afterCommit(Effect.andThen(Effect.sync(() => notify(row)), notifyOthers(row))),
          subscribe
        })
      })
    )

  static readonly layer = Layer.unwrap(Effect.map(
    databaseServer,
    (server) => Option.isSome(server) ? Invalidation.layerServer(server.value.directUrl) : Invalidation.layerLocal
  ))
}

const channel = "openaccounts_changes"

const print = ({ id, table }: InvalidatedRow) => `${table} ${id}`

/** Unknown payloads, from instances of another version, invalidate everything. */
const parse = (payload: string): InvalidatedRow | undefined => {
  const [name, id] = payload.split(" ")
  const table = tables.find((table) => table === name)
  return table === undefined || id === undefined ? undefined : { table, id }
}

const makeListeners = () => {
  const listeners = new Set<Listener>()
  return {
    notify: (row: InvalidatedRow | undefined) => {
      for (const listener of listeners) listener(row)
    },
    subscribe: (listener: Listener) =>
      Effect.acquireRelease(
        Effect.sync(() => listeners.add(listener)),
        () => Effect.sync(() => listeners.delete(listener))
      ).pipe(Effect.asVoid)
  }
}
