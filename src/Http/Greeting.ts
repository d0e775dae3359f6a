import { Array, Context, Effect, Layer, type Option } from "effect"

/** What the service prints when it has started, beside its addresses. */
export class Greeting extends Context.Service<Greeting, {
  readonly add: (text: Effect.Effect<Option.Option<string>>) => Effect.Effect<void>
  readonly texts: Effect.Effect<ReadonlyArray<string>>
}>()("openaccounts/Http/Greeting") {
  static readonly layer = Layer.sync(Greeting, () => {
    const parts: globalThis.Array<Effect.Effect<Option.Option<string>>> = []
    return Greeting.of({
      add: (text) =>
        Effect.sync(() => {
          parts.push(text)
        }),
      texts: Effect.suspend(() => Effect.map(Effect.all(parts), Array.getSomes))
    })
  })
}
