import { Clock, Effect, FiberSet, Layer, PartitionedSemaphore } from "effect"
import type { WebhookId } from "../../Domain/Ids.ts"
import { Metrics } from "../../Observability/Metrics.ts"
import { makeAttempt } from "./Attempt.ts"
import { DeliveryQueue, type DueWebhook } from "./DeliveryQueue.ts"
import { sweepDeliveries } from "./DeliverySweep.ts"
import { Outbox } from "./Outbox.ts"

/** Events of this instance are delivered immediately. Polling finds those of an instance that has died. */
const pollMillis = 5000

const maxConcurrentDeliveries = 8
const maxConcurrentWebhooks = 16

/**
 * Each webhook has its own worker. Workers take turns, and those of failing receivers have turns of their own, so that
 * they do not delay others. Attempts under way finish at shutdown.
 */
export const Deliverer = Layer.effectDiscard(Effect.gen(function*() {
  const queue = yield* DeliveryQueue
  const outbox = yield* Outbox
  const attempt = yield* makeAttempt
  const makeTurns = PartitionedSemaphore.make<WebhookId>({ permits: maxConcurrentWebhooks })
  const turns = yield* makeTurns
  const turnsOfFailing = yield* makeTurns
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

  const deliverBatch = ({ id, isFailing }: DueWebhook) =>
    Effect.gen(function*() {
      if (isEnding) return []
      const claimed = yield* queue.claim(id, maxConcurrentDeliveries)
      return yield* Effect.forEach(claimed, attempt, { concurrency: "unbounded" })
    }).pipe((isFailing ? turnsOfFailing : turns).withPermit(id))

  const work = Effect.fnUntraced(function*({ id, isFailing }: DueWebhook) {
    let attempts = 0
    let hasFailed = isFailing
    for (;;) {
      const results = yield* deliverBatch({ id, isFailing: hasFailed })
      attempts += results.length
      if (results.length > 0) hasFailed = !results.includes(true)
      else if (!dueAgain.delete(id)) break
    }
    running.delete(id)
    // A retry may be due before the next poll.
    if (attempts > 0) yield* outbox.wake
  }, (effect, { id }) =>
    Effect.catchCause(effect, (cause) => {
      running.delete(id)
      return Effect.logWarning(`Delivery to webhook ${id} failed; it resumes at the next poll`, cause)
    }))

  let pending = 0
  const meter = yield* Metrics
  meter?.gauge({ name: "openaccounts_webhook_pending", help: "Deliveries of events that are pending." }, () => pending)

  const dispatch = Effect.gen(function*() {
    if (meter !== undefined) pending = yield* queue.pending
    const { next, webhooks } = yield* queue.due
    for (const webhook of webhooks) {
      if (running.has(webhook.id)) {
        dueAgain.add(webhook.id)
      } else {
        running.add(webhook.id)
        yield* FiberSet.run(workers, work(webhook))
      }
    }
    const now = yield* Clock.currentTimeMillis
    return Math.min(next === undefined ? pollMillis : next - now, pollMillis)
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("Due deliveries of events could not be found", cause), pollMillis)
    )
  )

  yield* sweepDeliveries
  yield* dispatch.pipe(
    Effect.flatMap((millis) => Effect.raceFirst(outbox.recorded, Effect.sleep(millis))),
    Effect.forever,
    Effect.forkScoped
  )
}))
