import { Clock, Duration, Effect, FiberSet, Layer, Redacted, Result, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { hashToken } from "../../../Secrets/IssuedSecrets.ts"
import { ownBaseUrl } from "../../../Settings.ts"
import { inTransaction } from "../../../Sql/Transaction.ts"
import { Choices, digestType } from "./Choices.ts"
import { makeCompose } from "./Compose.ts"
import { weekOf } from "./Digest.ts"
import { Mailer } from "./Mailer.ts"
import { type DueMail, MailQueue } from "./MailQueue.ts"

/** Mail of this instance is sent immediately. Polling finds that of an instance that has died. */
const pollInterval = Duration.seconds(5)

const digestInterval = Duration.minutes(1)

/** Mail that an instance sends at a time. */
const concurrency = 5

const newToken = Effect.sync(() => {
  const token = randomBytes(32).toString("base64url")
  return { token, hash: hashToken(Redacted.make(token)) }
})

const makeDeliver = Effect.gen(function*() {
  const compose = yield* makeCompose
  const mailer = yield* Mailer
  const queue = yield* MailQueue
  const baseUrl = yield* ownBaseUrl

  const deliver = Effect.fn("Alerts.deliver")(function*(mail: DueMail) {
    const composed = yield* compose(mail)
    if (composed === undefined) return yield* queue.drop(mail)
    const { bodyWith, subject, to } = composed
    const { hash, token } = yield* newToken
    const stopUrl = `${baseUrl}/alerts/stop/${mail.id}/${token}`
    yield* queue.begin(mail, to, hash)
    const sent = yield* Effect.result(mailer.send({ id: mail.id, to, subject, ...bodyWith(stopUrl), stopUrl }))
    if (Result.isSuccess(sent)) return yield* queue.succeed(mail)
    const isRetried = yield* queue.fail(mail, sent.failure)
    if (isRetried && mail.attempts > 1) return
    yield* Effect.logWarning(
      `The mail ${mail.id} could not be sent: ${sent.failure.message} ${
        isRetried ? "It is sent again for 24 hours." : "It is not sent again."
      }`
    )
  })

  return (mail: DueMail) =>
    Effect.catchCause(
      deliver(mail),
      (cause) => Effect.logWarning(`The mail ${mail.id} could not be made or stored; it is tried again`, cause)
    )
})

/** Sends mail, each by one instance, and makes the digests of a week. Attempts under way finish at shutdown. */
export const MailSender = Layer.effectDiscard(Effect.gen(function*() {
  const mailer = yield* Mailer
  if (!mailer.isOn) return
  const choices = yield* Choices
  const deliver = yield* makeDeliver
  const queue = yield* MailQueue
  const sql = yield* SqlClient.SqlClient
  const attempts = yield* FiberSet.make()
  yield* Effect.addFinalizer(() => FiberSet.awaitEmpty(attempts))

  const makeDigests = inTransaction(sql)(Effect.gen(function*() {
    const week = new Date(weekOf(yield* Clock.currentTimeMillis))
    yield* queue.add(digestType, null, yield* choices.takeDigests(week))
  })).pipe(Effect.catchCause((cause) => Effect.logWarning("Digests could not be made", cause)))

  const sendDue = Effect.gen(function*() {
    const due = yield* queue.claim(concurrency)
    for (const mail of due) yield* FiberSet.run(attempts, deliver(mail))
    yield* FiberSet.awaitEmpty(attempts)
    return due.length
  }).pipe(
    Effect.catchCause((cause) => Effect.as(Effect.logWarning("Mail that is due could not be found", cause), 0))
  )

  yield* makeDigests.pipe(Effect.repeat(Schedule.spaced(digestInterval)), Effect.forkScoped)
  yield* sendDue.pipe(
    Effect.flatMap((sent) => sent > 0 ? Effect.void : Effect.raceFirst(queue.added, Effect.sleep(pollInterval))),
    Effect.forever,
    Effect.forkScoped
  )
}))
