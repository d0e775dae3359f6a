import { assert, layer, type Vitest } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Audit } from "../../../src/Audit/Audit.ts"
import { ConnectionTokens } from "../../../src/Connections/ConnectionTokens.ts"
import type { Member } from "../../../src/Domain/Member.ts"
import { Choices, type Chosen } from "../../../src/Features/Alerts/Mail/Choices.ts"
import { type Mail, Mailer, MailRefused } from "../../../src/Features/Alerts/Mail/Mailer.ts"
import { MailOutbox } from "../../../src/Features/Alerts/Mail/MailOutbox.ts"
import { MailQueue } from "../../../src/Features/Alerts/Mail/MailQueue.ts"
import { MailSender } from "../../../src/Features/Alerts/Mail/MailSender.ts"
import { Notices, ServeNotices } from "../../../src/Features/Alerts/Notices/Notices.ts"
import { ownedData } from "../../../src/Features/OwnedData.ts"
import { Clients } from "../../../src/Management/Clients.ts"
import { Members } from "../../../src/Management/Members.ts"
import { Catalog } from "../../../src/Providers/Catalog/Catalog.ts"
import { registrations } from "../../../src/Registrations.ts"
import { connect } from "../../Sql/NewConnection.ts"
import * as Storage from "../../Sql/StorageFixture.ts"
import { eventually } from "../../support/Eventually.ts"

/** What was sent in this file, by every instance. */
const sent: Array<Mail> = []
const busy = new Set<string>()

const RecordingMailer = Layer.succeed(Mailer, {
  isOn: true,
  send: (mail) =>
    busy.delete(mail.to)
      ? Effect.fail(new MailRefused({ message: "The mail server did not answer in time.", isFinal: false }))
      : Effect.sync(() => {
        sent.push(mail)
      })
})

const Parts = Layer.merge(MailOutbox, ServeNotices).pipe(
  Layer.provideMerge([Choices.layer, MailQueue.layer, Notices.layer, RecordingMailer]),
  Layer.provideMerge(Catalog.layer(registrations.map(({ provider }) => provider)))
)

const Embedded = Parts.pipe(Layer.provideMerge(Storage.Embedded), Layer.provide(ownedData()))
const Server = Parts.pipe(Layer.provideMerge(Storage.Server), Layer.provide(ownedData()))

const startInstance = Layer.build(Layer.fresh(MailSender))

let people = 0

const person = Effect.fnUntraced(function*(client_ids: Member["client_ids"], chosen: Partial<Chosen>) {
  const member = yield* (yield* Members).create({ email: `person-${++people}@example.com`, client_ids })
  yield* (yield* Choices).set(member.id, { events: [], digest_client_ids: [], ...chosen })
  const got = () => sent.filter(({ to }) => to === member.email)
  return { ...member, got }
})

const account = Effect.gen(function*() {
  const client = yield* (yield* Clients).create(`Client ${++people}`)
  const connection = yield* connect({ clientId: client.id, externalAccount: `account-${people}@example.com` })
  const audit = yield* Audit
  const lose = audit.change(Effect.void, () => [{
    action: "connection.expired",
    subject: connection.id,
    event: { type: "connection.expired", data: { connection, reason: "refresh_refused" } }
  }])
  return { client, connection, lose }
})

/** Until all mail that is due is sent, and `isDone`. Also wakes an instance that slept while the clock jumped. */
const settled = Effect.fnUntraced(function*(isDone: () => boolean = () => true) {
  const sql = yield* SqlClient.SqlClient
  const now = new Date(yield* Clock.currentTimeMillis)
  const due = sql`SELECT 1 FROM mail_deliveries WHERE status = 'pending' AND next_attempt_at <= ${now}`
  const { wake } = yield* MailQueue
  yield* TestClock.withLive(eventually(Effect.andThen(wake, due), ({ length }) => length === 0 && isDone()))
})

const tests = (it: Vitest.MethodsNonLive<Layer.Success<typeof Embedded>>) => {
  it.effect("each mail is sent once, though two instances send, also after a failure", () =>
    Effect.gen(function*() {
      yield* startInstance
      yield* startInstance
      const { client, lose } = yield* account
      const wanting = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => person([client.id], { events: ["connection.expired"] })
      )
      for (const { email } of wanting.slice(0, 5)) busy.add(email)
      yield* lose
      yield* settled(() => busy.size === 0)
      yield* TestClock.adjust("10 seconds")
      yield* settled()
      assert.deepStrictEqual(wanting.map(({ got }) => got().length), Array(20).fill(1))
    }))

  it.effect("mail that waits is not sent to a member who has since left its client, or wants it no more", () =>
    Effect.gen(function*() {
      const { client, lose } = yield* account
      const [left, stopped] = [
        yield* person([client.id], { events: ["connection.expired"] }),
        yield* person(null, { events: ["connection.expired"] })
      ]
      yield* lose
      yield* (yield* Members).change(left.id, { client_ids: [] })
      yield* (yield* Choices).set(stopped.id, { events: ["dataset.failed"], digest_client_ids: [] })
      yield* startInstance
      yield* settled()
      assert.deepStrictEqual([...left.got(), ...stopped.got()], [])
    }))

  it.effect("a digest of the clients that were chosen comes once a week", () =>
    Effect.gen(function*() {
      const one = yield* account
      const two = yield* account
      const [all, some, none] = [
        yield* person([one.client.id, two.client.id], { digest_client_ids: null }),
        yield* person([one.client.id], { digest_client_ids: [one.client.id, two.client.id] }),
        yield* person(null, { events: ["connection.expired"] })
      ]
      yield* (yield* ConnectionTokens).expire(one.connection.id, 1)
      const counts = () => [all, some, none].map(({ got }) => got().length)
      const sentBy = (count: number) =>
        Effect.scoped(Effect.gen(function*() {
          yield* startInstance
          yield* startInstance
          yield* settled(() => all.got().length === count)
          yield* settled()
          assert.deepStrictEqual(counts(), [count, count, 0])
        }))
      yield* sentBy(0)
      yield* (yield* SqlClient.SqlClient)`UPDATE alert_choices SET digested_at = digested_at - interval '7 days'`
      yield* sentBy(1)
      yield* sentBy(1)
      const [{ html, subject, text } = assert.fail("no digest")] = all.got()
      assert.strictEqual(subject, "Your week: 2 clients, 1 account needs you")
      assert.include(text, `${one.client.name}\n  0 calls\n  Needs you: account-`)
      assert.include(html, `<b>${one.client.name}</b><br>0 calls\n<br>Needs you: account-`)
      assert.include(text, `${two.client.name}\n  0 calls\n`)
      assert.notInclude(some.got()[0]?.text, two.client.name)
    }))
}

layer(Embedded)("Mail of an embedded database", tests)
layer(Server)("Mail of a Postgres server", tests)
