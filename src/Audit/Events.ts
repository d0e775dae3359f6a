import { Context, Effect, Layer } from "effect"
import type { NewEvent } from "../Declared/Event.ts"

/** Passes each event from the code that records it to the features that report it, such as webhooks. */
export class Events extends Context.Service<Events, {
  /** Gives the event to every listener, in the current transaction. */
  readonly record: (event: NewEvent) => Effect.Effect<void>
  /** The listener gets only events that are recorded afterwards. */
  readonly listen: (listener: (event: NewEvent) => Effect.Effect<void>) => Effect.Effect<void>
}>()("openaccounts/Audit/Events") {
  static readonly layer = Layer.sync(Events, () => {
    const listeners: Array<(event: NewEvent) => Effect.Effect<void>> = []
    return Events.of({
      record: (event) => Effect.forEach(listeners, (listener) => listener(event), { discard: true }),
      listen: (listener) =>
        Effect.sync(() => {
          listeners.push(listener)
        })
    })
  })
}
