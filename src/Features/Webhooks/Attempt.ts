import { Clock, Effect, Result } from "effect"
import { Metrics } from "../../Observability/Metrics.ts"
import { retryAfterMillis } from "../../Outbound/RetryAfter.ts"
import { isSuccessful } from "../../Outbound/UpstreamResponse.ts"
import { type AttemptFailure, DeliveryQueue, type DueDelivery } from "./DeliveryQueue.ts"
import { makeEventText } from "./EventText.ts"
import { secretUrl, signedHeaders } from "./Signature.ts"
import { standard, type TextFormat, TextFormats } from "./TextFormats.ts"
import { WebhookHttp } from "./WebhookHttp.ts"

export const makeAttempt = Effect.gen(function*() {
  const queue = yield* DeliveryQueue
  const formats = yield* TextFormats
  const http = yield* WebhookHttp
  const textOf = yield* makeEventText
  const meter = yield* Metrics
  const count = meter?.counter({
    name: "openaccounts_webhook_attempts_total",
    help: "Attempts to deliver an event to a webhook, by outcome: delivered, retried or failed."
  })

  const signed = Effect.fnUntraced(function*(delivery: DueDelivery) {
    const body = yield* textOf(delivery)
    const secrets = yield* delivery.secrets
    const atMillis = yield* Clock.currentTimeMillis
    const headers = yield* signedHeaders(secrets, { id: delivery.id, atMillis, body })
    return { url: delivery.url, headers, body }
  })

  const written = Effect.fnUntraced(function*(delivery: DueDelivery, format: TextFormat | undefined) {
    const storedUrl = secretUrl(yield* delivery.secrets)
    if (format === undefined || storedUrl === undefined) {
      return yield* Effect.fail<AttemptFailure>({
        status: null,
        reason: `This service leaves out the format ${delivery.format}.`
      })
    }
    const url = new URL(storedUrl)
    return { url: format.target(url).href, headers: {}, body: yield* format.write(delivery, url) }
  })

  const send = Effect.fnUntraced(function*(delivery: DueDelivery) {
    const isStandard = delivery.format === standard
    const format = formats.find(delivery.format)
    const { body, headers, url } = yield* isStandard ? signed(delivery) : written(delivery, format)
    const response = yield* http.post({
      url,
      headers: { "content-type": "application/json", "user-agent": "OpenAccounts", ...headers },
      body
    })
    const { status } = response
    if (isSuccessful(status)) return status
    const seconds = format?.waitOf(response.body)
    return yield* Effect.fail<AttemptFailure>({
      status,
      reason: `It answered with status ${status}.`,
      isFinal: !isStandard && status >= 400 && status < 500 && status !== 429,
      wait: seconds === undefined
        ? retryAfterMillis(response.retryAfter, yield* Clock.currentTimeMillis)
        : Math.ceil(seconds * 1000)
    })
  }, (effect) =>
    effect.pipe(
      Effect.catchTags({
        PublicRequestFailed: ({ message }) => Effect.fail<AttemptFailure>({ status: null, reason: message }),
        DecryptionFailed: ({ message }) => Effect.fail<AttemptFailure>({ status: null, reason: message })
      })
    ))

  const deliver = Effect.fn("Webhooks.deliver")(function*(delivery: DueDelivery) {
    const result = yield* Effect.result(send(delivery))
    if (Result.isSuccess(result)) {
      yield* queue.succeed(delivery, result.success)
      count?.({ outcome: "delivered" })
      return true
    }
    const { isFirst, isRetried } = yield* queue.fail(delivery, result.failure)
    count?.({ outcome: isRetried ? "retried" : "failed" })
    if (isRetried && !isFirst) return false
    yield* Effect.logWarning(
      `The event ${delivery.id} could not be delivered to the webhook ${delivery.webhookId}: ${result.failure.reason} ${
        isRetried ? "It is sent again for 24 hours." : "It is not sent again."
      }`
    )
    return false
  })

  /** True if the receiver accepted the event. Never fails, so that other attempts are not interrupted. */
  return (delivery: DueDelivery) =>
    Effect.catchCause(
      deliver(delivery),
      (cause) =>
        Effect.as(
          Effect.logWarning(
            `The result of delivering ${delivery.id} could not be stored, so it is delivered again`,
            cause
          ),
          false
        )
    )
})
