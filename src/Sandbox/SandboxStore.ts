import { Context, Effect, Layer, Option, Result } from "effect"

/** What the sandbox remembers: plain JSON values, each of a kind and with an id. */
export class SandboxStore extends Context.Service<SandboxStore, {
  readonly get: (kind: string, id: string) => Effect.Effect<Option.Option<unknown>>
  readonly put: (kind: string, id: string, value: unknown) => Effect.Effect<void>
  /**
   * Reads, decides and writes as one step. `change` is pure, for it may run more than once; where it fails, or gives no
   * `next`, nothing is written.
   */
  readonly modify: <A, E>(
    kind: string,
    id: string,
    change: (current: Option.Option<unknown>) => Result.Result<Change<A>, E>
  ) => Effect.Effect<A, E>
}>()("openaccounts/Sandbox/SandboxStore") {
  /** Forgets everything with the process. */
  static readonly layerMemory = Layer.sync(SandboxStore, () => {
    const values = new Map<string, unknown>()
    return SandboxStore.of({
      get: (kind, id) => Effect.sync(() => Option.fromUndefinedOr(values.get(at(kind, id)))),
      put: (kind, id, value) => Effect.sync(() => void values.set(at(kind, id), value)),
      modify: (kind, id, change) =>
        Effect.suspend(() => {
          const changed = change(Option.fromUndefinedOr(values.get(at(kind, id))))
          if (Result.isFailure(changed)) return Effect.fail(changed.failure)
          const { next, result } = changed.success
          if (next !== undefined) values.set(at(kind, id), next)
          return Effect.succeed(result)
        })
    })
  })
}

const at = (kind: string, id: string) => `${kind} ${id}`

export interface Change<A> {
  readonly result: A
  readonly next?: unknown
}
