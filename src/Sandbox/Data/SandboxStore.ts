import { Context, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  value: Schema.fromJsonString(Schema.Unknown),
  version: Schema.BigInt
})))

export class SandboxStore extends Context.Service<SandboxStore, {
  readonly get: (kind: string, id: string) => Effect.Effect<Option.Option<unknown>>
  readonly put: (kind: string, id: string, value: unknown) => Effect.Effect<void>
  /** Atomic. `change` may run several times, so it must be pure. Without `next`, nothing is written. */
  readonly modify: <A, E>(
    kind: string,
    id: string,
    change: (current: Option.Option<unknown>) => Result.Result<Change<A>, E>
  ) => Effect.Effect<A, E>
}>()("openaccounts/Sandbox/Data/SandboxStore") {
  static readonly layer = Layer.effect(
    SandboxStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const read = Effect.fnUntraced(function*(kind: string, id: string) {
        const [row] = yield* decodeRows(
          yield* sql`SELECT value, version FROM sandbox_values WHERE kind = ${kind} AND id = ${id}`
        )
        return Option.fromUndefinedOr(row)
      }, Effect.orDie)

      const replace = Effect.fnUntraced(
        function*(kind: string, id: string, value: unknown, version: bigint | undefined) {
          const text = JSON.stringify(value)
          const rows = version === undefined
            ? yield* sql`
            INSERT INTO sandbox_values (kind, id, value, version) VALUES (${kind}, ${id}, ${text}, 1)
            ON CONFLICT DO NOTHING RETURNING version`
            : yield* sql`
            UPDATE sandbox_values SET value = ${text}, version = version + 1
            WHERE kind = ${kind} AND id = ${id} AND version = ${version} RETURNING version`
          return rows.length === 1
        },
        Effect.orDie
      )

      const modify = Effect.fnUntraced(function*<A, E>(
        kind: string,
        id: string,
        change: (current: Option.Option<unknown>) => Result.Result<Change<A>, E>
      ): Effect.fn.Return<A, E> {
        while (true) {
          const current = yield* read(kind, id)
          const { next, result } = yield* Effect.fromResult(change(Option.map(current, ({ value }) => value)))
          if (next === undefined) return result
          const version = Option.getOrUndefined(current)?.version
          if (yield* replace(kind, id, next, version)) return result
        }
      })

      return SandboxStore.of({
        get: (kind, id) => Effect.map(read(kind, id), Option.map(({ value }) => value)),
        put: (kind, id, value) => modify(kind, id, () => Result.succeed({ result: undefined, next: value })),
        modify
      })
    })
  )

  static readonly layerMemory = Layer.sync(SandboxStore, () => {
    const values = new Map<string, unknown>()
    const valueOf = (kind: string, id: string) => Option.fromUndefinedOr(values.get(keyOf(kind, id)))
    return SandboxStore.of({
      get: (kind, id) => Effect.sync(() => valueOf(kind, id)),
      put: (kind, id, value) => Effect.sync(() => void values.set(keyOf(kind, id), value)),
      modify: (kind, id, change) =>
        Effect.suspend(() => {
          const changed = change(valueOf(kind, id))
          if (Result.isSuccess(changed) && changed.success.next !== undefined) {
            values.set(keyOf(kind, id), changed.success.next)
          }
          return Effect.fromResult(Result.map(changed, ({ result }) => result))
        })
    })
  })
}

const keyOf = (kind: string, id: string) => `${kind} ${id}`

export interface Change<A> {
  readonly result: A
  readonly next?: unknown
}
