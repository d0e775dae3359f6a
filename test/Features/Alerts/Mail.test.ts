import { assert, it as plainIt, layer } from "@effect/vitest"
import { ConfigProvider, Context, Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { createServer } from "node:net"
import { Mailer, verifyMail } from "../../../src/Features/Alerts/Mail/Mailer.ts"
import { runOa } from "../../Cli/RunCli.ts"
import { baseUrl, deadTokens, Hosted, sitesList } from "../../Http/Fixture.ts"
import { assertError, assertLimited, issuePaths } from "../../support/Answer.ts"
import { eventually } from "../../support/Eventually.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { type SignedIn, signedIn } from "../../support/SignedIn.ts"
import { SmtpServer } from "../../support/SmtpServer.ts"
import { expiredGrant, seed, TestServer } from "../../support/TestServer.ts"

const from = { MAIL_FROM: "Acme Accounts <accounts@acme.example>", BASE_URL: baseUrl }

const Mailing = Layer.unwrap(Effect.map(SmtpServer, ({ url }) => TestServer.make({ SMTP_URL: url, ...from }))).pipe(
  Layer.provideMerge(SmtpServer.layer)
)

const choose = ({ request }: SignedIn, body: unknown) => request("PUT", "/auth/alerts", { body })

const chosen = Effect.fnUntraced(function*(client_ids: ReadonlyArray<string> | null, events: ReadonlyArray<string>) {
  const session = yield* signedIn({ client_ids })
  assert.strictEqual((yield* choose(session, { events, digest_client_ids: [] })).status, 200)
  return session
})

/** A call through a connection whose sign-in has ended. */
const expire = Effect.fnUntraced(function*(external_account: string) {
  const { call } = yield* TestServer
  ;(yield* LoopbackUpstream).handle(deadTokens)
  const seeded = yield* seed({ external_account, credentials: expiredGrant("mailed") })
  return { ...seeded, lose: Effect.asVoid(call(seeded.readOnly, sitesList)) }
})

/** Without markup, and without the colons that only the text needs. */
const wordsOf = (body: string): string =>
  body
    .replace(/^[^]*<body[^>]*>/, "")
    .replaceAll(/<a [^>]*href="([^"]*)">([^<]*)<\/a>/g, "$2 $1")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/:(?=\s)|^-- $/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim()

const deliveries = Effect.gen(function*() {
  const { adminToken: key, request } = yield* TestServer
  const { json } = yield* request("GET", "/admin/v1/mail-deliveries?limit=200", { key })
  const { mail_deliveries }: { readonly mail_deliveries: ReadonlyArray<Record<string, unknown>> } = Object(json)
  return mail_deliveries
})

/** The latest delivery to the member, once it was tried. */
const attempted = Effect.fnUntraced(function*(member: { readonly id: string }) {
  const latest = Effect.map(deliveries, (all) => all.find(({ member_id }) => member_id === member.id) ?? {})
  return yield* eventually(latest, ({ error = null, status = "pending" }) => status !== "pending" || error !== null)
})

layer(Mailing, { excludeTestServices: true })("Alerts by e-mail", (it) => {
  it.effect("reach the members who chose them and may see them, and nobody else", () =>
    Effect.gen(function*() {
      const { received } = yield* SmtpServer
      const { client, connection, lose } = yield* expire("ada@example.com\r\nBcc: eve@example.com")
      const other = yield* seed()
      const wants = yield* chosen([client.id], ["connection.expired"])
      const elsewhere = yield* chosen([other.client.id], ["connection.expired"])
      const optedOut = yield* chosen(null, ["connection.expired"])
      yield* choose(optedOut, { events: ["dataset.failed"], digest_client_ids: [] })
      yield* lose
      const { at: _, id, ...delivery } = yield* attempted(wants.member)
      const { email } = wants.member
      assert.deepStrictEqual(delivery, {
        member_id: wants.member.id,
        email,
        type: "connection.expired",
        status: "delivered",
        attempts: 1,
        error: null,
        next_attempt_at: null
      })

      const mails = received.filter(({ text }) => text.includes(connection.id))
      assert.deepStrictEqual(mails.map(({ to }) => to), [[email]])
      const [{ headers, html, text } = assert.fail("no mail")] = mails
      assert.match(headers, /^From: Acme Accounts <accounts@acme\.example>$/m)
      assert.match(headers, /^Subject: Access ended: ada@example\.com Bcc: eve@example\.com\r?$/m)
      assert.notMatch(headers, /^Bcc:/im)
      assert.include(headers, `Message-ID: <${id}@acme.example>`)
      for (const line of [`Client: ${client.name}`, "What to do: Reconnect the account."]) assert.include(text, line)
      assert.include(text, `Reconnect: ${baseUrl}/dashboard/connections/${connection.id}/reconnect\n`)
      const [, stopUrl = ""] = /^Stop it: (.*)$/m.exec(text) ?? []
      assert.include(headers, `List-Unsubscribe: <${stopUrl}>`)
      assert.strictEqual(wordsOf(html), wordsOf(text))
      assert.notMatch(html, /<img|<link|<script|url\(|\bsrc=/)

      const all = yield* eventually(deliveries, (found) => found.every(({ status }) => status !== "pending"))
      const members = all.map(({ member_id }) => member_id)
      assert.notInclude(members, elsewhere.member.id)
      assert.notInclude(members, optedOut.member.id)

      const { request } = yield* TestServer
      const path = new URL(stopUrl).pathname
      const page = yield* request("GET", path)
      assert.deepStrictEqual([page.status, page.text.includes("Stop this mail?")], [200, true])
      const events = Effect.map(wants.request("GET", "/auth/alerts"), ({ json }) => Object(json).events)
      assert.deepStrictEqual(yield* events, ["connection.expired"])
      const stopped = yield* request("POST", path)
      assert.deepStrictEqual([stopped.status, yield* events], [200, []])
      assert.strictEqual((yield* request("GET", `${path}x`)).status, 404)
      assertError(yield* wants.request("GET", "/admin/v1/mail-deliveries"), 403, "forbidden")
    }))

  it.effect("end when the server refuses the address, wait when it asks to, and end with their member", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { received, refuse } = yield* SmtpServer
      const { client, lose } = yield* expire("refused@example.com")
      const [gone, later] = [
        yield* chosen([client.id], ["connection.expired"]),
        yield* chosen([client.id], ["connection.expired"])
      ]
      refuse(gone.member.email, 550)
      refuse(later.member.email, 451)
      yield* lose
      const refusal = "The mail server refused the sender or the recipient"
      assert.deepInclude(yield* attempted(gone.member), {
        status: "failed",
        error: `${refusal} (550).`,
        next_attempt_at: null
      })
      assert.deepInclude(yield* attempted(later.member), { status: "pending", error: `${refusal} (451).` })
      yield* admin.members.delete({ params: { id: later.member.id } })
      assert.notInclude((yield* deliveries).map(({ member_id }) => member_id), later.member.id)
      assert.notInclude(received.flatMap(({ to }) => to), later.member.email)
    }))

  it.effect("are chosen by each member, for clients that the member sees", () =>
    Effect.gen(function*() {
      const { client } = yield* seed()
      const { client: hidden } = yield* seed()
      const session = yield* signedIn({ client_ids: [client.id] })
      const before = yield* session.request("GET", "/auth/alerts")
      const nothing = { available: true, email: session.member.email, events: [], digest_client_ids: [] }
      assert.deepStrictEqual([before.status, before.json], [200, nothing])
      for (const digest_client_ids of [null, [client.id]]) {
        const set = yield* choose(session, { events: ["dataset.failed", "dataset.failed"], digest_client_ids })
        const expected = { ...nothing, events: ["dataset.failed"], digest_client_ids }
        assert.deepStrictEqual([set.status, set.json], [200, expected])
        assert.deepStrictEqual((yield* session.request("GET", "/auth/alerts")).json, expected)
      }
      assertError(yield* choose(session, { events: [], digest_client_ids: [hidden.id] }), 404, "client_not_found")
      const unknown = yield* choose(session, { events: ["key.created"], digest_client_ids: null })
      assert.deepStrictEqual(issuePaths(unknown), ["events.0"])
      const { request } = yield* TestServer
      assertError(yield* request("GET", "/auth/alerts"), 401, "unauthenticated")
    }))

  it.effect("are tried by each member, who gets a sample at its own address, a few times", () =>
    Effect.gen(function*() {
      const { received, refuse } = yield* SmtpServer
      const session = yield* signedIn()
      const { email } = session.member
      const test = session.request("POST", "/auth/alerts/test")
      const sent = yield* test
      assert.deepStrictEqual([sent.status, sent.json], [200, { email, error: null }])
      const [{ headers, html, text } = assert.fail("no mail")] = received.filter(({ to }) => to.includes(email))
      assert.include(text, "A sample from ")
      assert.strictEqual(wordsOf(html), wordsOf(text))
      assert.include(headers, `List-Unsubscribe: <${baseUrl}/dashboard/settings?tab=alerts>`)
      refuse(email, 550)
      assert.deepInclude((yield* test).json, { error: "The mail server refused the sender or the recipient (550)." })
      for (let count = 2; count < 5; count++) yield* test
      assertLimited(yield* test, "member_share")
    }))
})

layer(Hosted, { excludeTestServices: true })("Without a mail server", (it) => {
  it.effect("members see that no mail is sent", () =>
    Effect.gen(function*() {
      const session = yield* chosen(null, ["connection.expired"])
      const { client, lose } = yield* expire("silent@example.com")
      yield* lose
      assert.deepInclude((yield* session.request("GET", "/auth/alerts")).json, { available: false })
      assert.isString(client.id)
      assert.deepStrictEqual(yield* deliveries, [])
    }))
})

const doctor = (settings: Readonly<Record<string, string>>) =>
  Effect.map(runOa(["doctor", "--json"], { settings }), ({ stdout }) => stdout)

plainIt.effect("oa doctor says what is wrong with the settings of mail", () =>
  Effect.gen(function*() {
    const url = "smtp://127.0.0.1:1"
    assert.include(yield* doctor({ SMTP_URL: url }), "SMTP_URL is set, but MAIL_FROM is not. Set both, or neither.")
    assert.include(yield* doctor({ MAIL_FROM: "a@b.example" }), "MAIL_FROM is set, but SMTP_URL is not")
    const away = yield* doctor({ SMTP_URL: url, MAIL_FROM: "a@b.example" })
    assert.include(away, "The mail server could not be reached.")
  }))

const verify = (url: string) => verifyMail({ url: Redacted.make(url), from: "a@b.example" })

plainIt.effect(
  "a login is sent only over an encrypted connection",
  () =>
    Effect.gen(function*() {
      const { url } = yield* SmtpServer
      yield* verify(url)
      // This machine too, but not by its name.
      const elsewhere = url.replace("127.0.0.1", "0.0.0.0")
      assert.include((yield* Effect.flip(verify(elsewhere))).message, "offers no encryption that works")
      yield* verify(`${elsewhere}?requireTLS=false`)
    }).pipe(Effect.provide(SmtpServer.layer))
)

plainIt.effect(
  "an attempt ends before a shutdown does and another instance repeats it, however slowly a mail server answers",
  () =>
    Effect.gen(function*() {
      const connected = yield* Deferred.make<void>()
      const port = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const server = createServer((socket) => {
            const drip = setInterval(() => socket.write("250-slow\r\n"), 100)
            socket.on("error", () => undefined).on("close", () => clearInterval(drip))
            socket.once("data", () => Deferred.doneUnsafe(connected, Effect.void)).write("220 slow\r\n")
          }).listen(0, "127.0.0.1")
          await once(server, "listening")
          return server
        }),
        (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
      ).pipe(Effect.map((server) => Object(server.address()).port))
      const settings = ConfigProvider.fromUnknown({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "a@b.example" })
      const { send } = Context.get(
        yield* Layer.build(Mailer.layer.pipe(Layer.provide(ConfigProvider.layer(settings)))),
        Mailer
      )
      const mail = { id: "mdl_1", to: "c@d.example", subject: "", text: "", html: "", stopUrl: baseUrl }
      const sending = yield* Effect.forkChild(Effect.flip(send(mail)))
      yield* Deferred.await(connected)
      yield* TestClock.adjust("30 seconds")
      const { isFinal, message } = yield* Fiber.join(sending)
      assert.deepStrictEqual([isFinal, message], [false, "The mail server did not answer in time."])
    })
)
