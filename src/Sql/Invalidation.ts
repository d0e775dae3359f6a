import { Context, Effect, Layer, Option, type Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { databaseServer } from "../Settings.ts"
import { listen } from "./Listener.ts"

const tables = ["keys", "members", "connections"] as const

/** Something that instances remember has changed. */
export interface InvalidatedRow {
  readonly table: typeof tables[number]
  readonly id: string
}

type Forget = (change: InvalidatedRow | undefined) => void

/** Tells every instance on the database that what it remembers has changed. */
export class Invalidation extends Context.Service<Invalidation, {
  /** To be called once the change is committed. Never fails: the others learn of it within half a second by themselves. */
  readonly publish: (change: InvalidatedRow) => Effect.Effect<void>
  /**
   * `forget` runs for every change, this process's own first (synchronously, before `publish` returns), and with
   * `undefined` when changes may have been missed.
   */
  readonly subscribe: (forget: Forget) => Effect.Effect<void, never, Scope.Scope>
}>()("openaccounts/Sql/Changes") {
  /** Within this process: nobody else has the embedded database. */
  static readonly layerLocal = Layer.sync(Invalidation, () => {
    const { forget, subscribe } = makeSubscribers()
    return Invalidation.of({ publish: (change) => Effect.sync(() => forget(change)), subscribe })
  })

  /** Among all instances on a server, which must be listened to past any pooler. */
  static readonly layerServer = (directUrl: Redacted.Redacted) =>
    Layer.effect(
      Invalidation,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { forget, subscribe } = makeSubscribers()
        yield* listen({ url: directUrl, applicationName: "openaccounts listener" }, channel, {
          onListening: () => forget(undefined),
          onPayload: (payload) => forget(parse(payload))
        })
        const tell = (change: InvalidatedRow) =>
          Effect.catch(
            sql`SELECT pg_notify(${channel}, ${print(change)})`,
            (error) => Effect.logWarning(`Other instances hear of ${change.id} with a delay`, error)
          )

        return Invalidation.of({
          publish: (change) => Effect.andThen(Effect.sync(() => forget(change)), tell(change)),
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

/** Nothing that an instance of another version says is ignored: what is not understood may concern anything. */
const parse = (payload: string): InvalidatedRow | undefined => {
  const [name, id] = payload.split(" ")
  const table = tables.find((table) => table === name)
  return table === undefined || id === undefined ? undefined : { table, id }
}

const makeSubscribers = () => {
  const subscribers = new Set<Forget>()
  return {
    forget: (change: InvalidatedRow | undefined) => {
      for (const subscriber of subscribers) subscriber(change)
    },
    subscribe: (forget: Forget) =>
      Effect.acquireRelease(
        Effect.sync(() => subscribers.add(forget)),
        () => Effect.sync(() => subscribers.delete(forget))
      ).pipe(Effect.asVoid)
  }
}
