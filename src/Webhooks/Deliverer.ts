import { Clock, Effect, FiberSet, Layer, Semaphore } from "effect"
import type { WebhookId } from "../Domain/Ids.ts"
import { Outbox } from "../Events/Outbox.ts"
import { Metrics } from "../Observability/Metrics.ts"
import { makeAttempt } from "./Attempt.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import { sweepDeliveries } from "./DeliverySweep.ts"

/** Events of this instance are delivered at once. Polling finds those of an instance that has died. */
const pollMillis = 5000

const maxConcurrentDeliveries = 8
const maxConcurrentWebhooks = 16

/**
 * Each webhook has its own worker, so that a slow receiver does not delay others. Attempts under way finish at
 * shutdown.
 */
export const Deliverer = Layer.effectDiscard(Effect.gen(function*() {
  const queue = yield* DeliveryQueue
  const outbox = yield* Outbox
  const attempt = yield* makeAttempt
  const batches = yield* Semaphore.make(maxConcurrentWebhooks)
  const workers = yield* FiberSet.make()
  const running = new Set<WebhookId>()
  const dueAgain = new Set<WebhookId>()
  let isEnding = false
  yield* Effect.addFinalizer(() =>
    Effect.andThen(
      Effect.sync(() => {
        isEnding = true
      }),
      FiberSet.awaitEmpty(workers)
    )
  )

  const deliverBatch = (id: WebhookId) =>
    Effect.gen(function*() {
      if (isEnding) return 0
      const claimed = yield* queue.claim(id, maxConcurrentDeliveries)
      yield* Effect.forEach(claimed, attempt, { concurrency: "unbounded", discard: true })
      return claimed.length
    }).pipe(batches.withPermits(1))

  const work = Effect.fnUntraced(function*(id: WebhookId) {
    let delivered = 0
    for (;;) {
      const claimed = yield* deliverBatch(id)
      delivered += claimed
      if (claimed === 0 && !dueAgain.delete(id)) break
    }
    running.delete(id)
    // A retry may be due before the next poll.
    if (delivered > 0) yield* outbox.wake
  }, (effect, id) =>
    Effect.catchCause(effect, (cause) => {
      running.delete(id)
      return Effect.logWarning(`Deliveries to the webhook ${id} have stopped; they go on soon`, cause)
    }))

  let pending = 0
  const meter = yield* Metrics
  meter?.gauge({ name: "openaccounts_webhook_pending", help: "Deliveries of events that are pending." }, () => pending)

  const dispatch = Effect.gen(function*() {
    if (meter !== undefined) pending = yield* queue.pending
    const { next, webhooks } = yield* queue.due
    for (const id of webhooks) {
      if (running.has(id)) {
        dueAgain.add(id)
      } else {
        running.add(id)
        yield* FiberSet.run(workers, work(id))
      }
    }
    const now = yield* Clock.currentTimeMillis
    return Math.min(next === undefined ? pollMillis : next - now, pollMillis)
  }).pipe(
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logWarning("Due deliveries of events could not be found", defect), pollMillis)
    )
  )

  yield* sweepDeliveries
  yield* dispatch.pipe(
    Effect.flatMap((millis) => Effect.raceFirst(outbox.recorded, Effect.sleep(millis))),
    Effect.forever,
    Effect.forkScoped
  )
}))
