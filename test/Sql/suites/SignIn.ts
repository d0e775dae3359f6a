import { assert, describe } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Auth } from "../../../src/Auth/Auth.ts"
import { type Attempt, AttemptLimits } from "../../../src/Capacity/AttemptLimits.ts"
import type { SessionPrincipal } from "../../../src/Domain/Access/Principal.ts"
import { newId } from "../../../src/Domain/NewId.ts"
import { CurrentAddress } from "../../../src/Domain/Request/CurrentAddress.ts"
import { Links } from "../../../src/Features/SignIn/Links.ts"
import { Sessions } from "../../../src/Features/SignIn/Sessions.ts"
import { SignIn } from "../../../src/Features/SignIn/SignIn.ts"
import { Keys } from "../../../src/Management/Keys.ts"
import { Members } from "../../../src/Management/Members.ts"
import { fresh } from "../OtherInstance.ts"
import type { StorageTests } from "../StorageFixture.ts"

const password = Redacted.make("three quiet harbours")

/** Changes rows, because `TestClock` would also run everything that happens until then, such as sweeps. */
const age = Effect.fnUntraced(function*(table: string, columns: ReadonlyArray<string>, interval: string) {
  const sql = yield* SqlClient.SqlClient
  for (const column of columns) {
    yield* sql`UPDATE ${sql(table)} SET ${sql(column)} = ${sql(column)} - ${interval}::interval`
  }
  yield* TestClock.adjust("1 second")
}, Effect.orDie)

const newMember = Effect.gen(function*() {
  return yield* (yield* Members).create({ email: `${yield* newId("mem")}@example.com` })
})

const tokenIn = ({ url }: { readonly url: string }) => Redacted.make(new URL(url).hash.slice(1))

const invite = Effect.fnUntraced(function*(id: string) {
  return { token: tokenIn(yield* (yield* Links).create(id)) }
})

const authenticate = (auth: Auth["Service"], token: Redacted.Redacted) =>
  Effect.map(
    auth.authenticate({ type: "cookie", token, access: "read_only", mayBeForged: false }),
    (principal): SessionPrincipal =>
      principal.via === "session" ? principal : assert.fail("not the principal of a session")
  )

const refuses = Effect.fnUntraced(function*(auth: Auth["Service"], token: Redacted.Redacted) {
  assert.strictEqual((yield* Effect.flip(authenticate(auth, token)))._tag, "Unauthenticated")
})

const assertRefused = Effect.fnUntraced(function*<A, E extends { readonly code: string; readonly message: string }, R>(
  effect: Effect.Effect<A, E, R>,
  code: string,
  message: RegExp = /./
) {
  const error = yield* Effect.flip(effect)
  assert.strictEqual(error.code, code)
  assert.match(error.message, message)
  return error
})

const memberWithPassword = Effect.gen(function*() {
  const signIn = yield* SignIn
  const member = yield* newMember
  const { token } = yield* signIn.withLink(yield* invite(member.id), undefined)
  const session = yield* authenticate(yield* Auth, token)
  yield* signIn.setPassword(session, { password })
  return { member, session, token }
})

const nobodySignsIn = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const table of ["passwords", "passkeys", "oidc_accounts"]) yield* sql`DELETE FROM ${sql(table)}`
})

const attempt = (email: string, source: string, isKnownSource = false): Attempt => ({
  at: "sign-in",
  email,
  source,
  isKnownSource
})

export const signIn: StorageTests = (it) => {
  describe("links", () => {
    it.effect("a link signs its member in once, and a newer one replaces it", () =>
      Effect.gen(function*() {
        const signIn = yield* SignIn
        const member = yield* newMember
        const first = yield* invite(member.id)
        const second = yield* invite(member.id)
        yield* assertRefused(signIn.withLink(first, undefined), "unauthenticated", /replaced by a newer one/)
        const signedIn = yield* signIn.withLink(second, undefined)
        assert.deepStrictEqual(signedIn.member, member)
        assert.strictEqual((yield* authenticate(yield* Auth, signedIn.token)).memberId, member.id)
        yield* assertRefused(signIn.withLink(second, undefined), "unauthenticated", /used before/)
        for (const token of ["", "oal_", `oal_${"x".repeat(43)}`, "\0"]) {
          yield* assertRefused(
            signIn.withLink({ token: Redacted.make(token) }, undefined),
            "unauthenticated",
            /unknown/
          )
        }
        yield* assertRefused(Effect.flatMap(Links, (links) => links.create("mem_x")), "member_not_found")
      }))

    it.effect("a link ends after seven days", () =>
      Effect.gen(function*() {
        const signIn = yield* SignIn
        const member = yield* newMember
        const link = yield* invite(member.id)
        yield* age("links", ["expires_at"], "7 days")
        yield* assertRefused(signIn.withLink(link, undefined), "unauthenticated", /has expired/)
      }))

    it.effect("a link that is opened twice at the same time signs in once", () =>
      Effect.gen(function*() {
        const links = [yield* Links, yield* fresh(Links, Links.layer)]
        const member = yield* newMember
        const link = yield* invite(member.id)
        const opened = yield* Effect.forEach(links, (each) => Effect.exit(each.open(link)), { concurrency: 2 })
        assert.lengthOf(opened.filter(Exit.isSuccess), 1)
      }))

    it.effect("a setup link makes a member the first admin, keeps the member's keys, and ends all setup links", () =>
      Effect.gen(function*() {
        const [links, signIn] = [yield* Links, yield* SignIn]
        yield* nobodySignsIn
        const member = yield* newMember
        const key = yield* (yield* Keys).create({ member_id: member.id, name: "kept" })
        const setup = Effect.map(Effect.flatMap(links.createSetup, Effect.fromOption), (link) => ({
          token: tokenIn(link),
          email: member.email.toUpperCase()
        }))
        const [old, one, another] = [yield* setup, yield* setup, yield* setup]
        assert.deepStrictEqual(
          (yield* assertRefused(signIn.withLink({ token: one.token }, undefined), "invalid_input")).details,
          [{ path: ["email"], message: "A setup link needs the e-mail address of the first admin" }]
        )
        yield* age("links", ["expires_at"], "24 hours")
        yield* assertRefused(signIn.withLink(old, undefined), "unauthenticated", /has expired/)
        const fresh = yield* setup
        const { member: admin, token } = yield* signIn.withLink(fresh, undefined)
        assert.deepStrictEqual(admin, { ...member, role: "admin", client_ids: null })
        const principal = yield* (yield* Auth).authenticate({ type: "bearer", token: Redacted.make(key.key) })
        assert.strictEqual(principal.memberId, member.id)
        for (const link of [fresh, another]) yield* assertRefused(signIn.withLink(link, undefined), "unauthenticated")
        yield* signIn.setPassword(yield* authenticate(yield* Auth, token), { password })
        assert.strictEqual((yield* links.createSetup)._tag, "None")
      }))

    it.effect("a setup link ends when an admin can sign in", () =>
      Effect.gen(function*() {
        yield* nobodySignsIn
        const link = tokenIn(yield* Effect.flatMap((yield* Links).createSetup, Effect.fromOption))
        const { member } = yield* memberWithPassword
        yield* (yield* Members).change(member.id, { role: "admin" })
        const opened = (yield* SignIn).withLink({ token: link, email: "late@example.com" }, undefined)
        yield* assertRefused(opened, "unauthenticated", /has ended/)
      }))
  })

  describe("sessions", () => {
    it.effect("a session ends on every instance within a second", () =>
      Effect.gen(function*() {
        const [here, there] = [yield* Auth, yield* fresh(Auth, Auth.layer)]
        const sessions = yield* Sessions
        const { id: memberId } = yield* newMember
        const start = sessions.start({ memberId, beganWith: "password", userAgent: "x".repeat(1000) })
        const [ended, kept] = [yield* start, yield* start]
        for (const auth of [here, there]) yield* authenticate(auth, ended)
        const { sessionId } = yield* authenticate(here, ended)
        const current = yield* authenticate(here, kept)
        yield* assertRefused(sessions.end((yield* newMember).id, sessionId), "session_not_found")
        yield* sessions.end(memberId, sessionId)
        yield* refuses(here, ended)
        yield* TestClock.adjust("1 second")
        yield* refuses(there, ended)
        const [only, ...others] = yield* sessions.list(current)
        assert.deepInclude(only, { id: current.sessionId, current: true, user_agent: "x".repeat(300) })
        assert.lengthOf(others, 0)
      }))

    it.effect("a member with 100 sessions loses the oldest one with the next", () =>
      Effect.gen(function*() {
        const [auth, sessions] = [yield* Auth, yield* Sessions]
        const { id: memberId } = yield* newMember
        const begin = Effect.andThen(
          TestClock.adjust("1 second"),
          sessions.start({ memberId, beganWith: "password", userAgent: undefined })
        )
        const [oldest, next] = [yield* begin, yield* begin]
        yield* Effect.replicateEffect(begin, 98, { discard: true })
        yield* authenticate(auth, oldest)
        yield* begin
        yield* TestClock.adjust("1 second")
        yield* refuses(auth, oldest)
        yield* authenticate(auth, next)
      }))

    it.effect("a new role or the deletion of a member applies to its sessions on every instance within a second", () =>
      Effect.gen(function*() {
        const members = yield* Members
        const [here, there] = [yield* Auth, yield* fresh(Auth, Auth.layer)]
        const { id } = yield* newMember
        yield* members.create({ email: "second-admin@example.com", role: "admin" })
        const token = yield* (yield* Sessions).start({ memberId: id, beganWith: "link", userAgent: undefined })
        for (const role of ["member", "admin", "member"] as const) {
          yield* members.change(id, { role })
          assert.strictEqual((yield* authenticate(here, token)).role, role)
          yield* TestClock.adjust("1 second")
          assert.strictEqual((yield* authenticate(there, token)).role, role)
        }
        yield* members.delete(id)
        yield* refuses(here, token)
        yield* TestClock.adjust("1 second")
        yield* refuses(there, token)
      }))

    it.effect("a session ends after 7 days without use, and after 30 days", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const auth = yield* Auth
        const { id: memberId } = yield* newMember
        const sessions = yield* Sessions
        const start = sessions.start({ memberId, beganWith: "password", userAgent: undefined })
        const [idle, used] = [yield* start, yield* start]
        const { sessionId } = yield* authenticate(auth, used)
        yield* age("sessions", ["created_at", "last_used_at"], "6 days 23 hours")
        // This instance wrote the time of the last use a second ago.
        yield* authenticate(yield* fresh(Auth, Auth.layer), used)
        const [row] = yield* sql<{ readonly at: Date }>`SELECT last_used_at AS at FROM sessions WHERE id = ${sessionId}`
        assert.strictEqual(row?.at.getTime(), yield* Effect.clockWith((clock) => clock.currentTimeMillis))
        yield* age("sessions", ["created_at", "last_used_at"], "1 hour")
        yield* authenticate(auth, used)
        yield* refuses(auth, idle)
        yield* age("sessions", ["created_at"], "23 days")
        yield* refuses(auth, used)
        const session = yield* authenticate(auth, yield* start)
        assert.lengthOf(yield* sessions.list(session), 1)
      }))
  })

  describe("passwords", () => {
    it.effect("a new password requires the current one, ends the other sessions and keeps the keys", () =>
      Effect.gen(function*() {
        const [auth, signIn] = [yield* Auth, yield* SignIn]
        const { member, token } = yield* memberWithPassword
        const { key } = yield* (yield* Keys).create({ member_id: member.id, name: "kept" })
        const session = yield* authenticate(auth, (yield* signIn.withPassword(member.email, password, undefined)).token)
        const next = Redacted.make("four noisy harbours")
        const set = (current_password?: Redacted.Redacted) =>
          signIn.setPassword(session, { password: next, ...(current_password && { current_password }) })
        yield* assertRefused(set(), "invalid_input")
        yield* assertRefused(set(next), "unauthenticated", /current password/)
        yield* set(password)
        yield* refuses(auth, token)
        yield* auth.authenticate({ type: "bearer", token: Redacted.make(key) })
        yield* assertRefused(signIn.withPassword(member.email, password, undefined), "unauthenticated")
        yield* signIn.withPassword(member.email, next, undefined)
      }))
  })

  describe("sessions that began with a link", () => {
    const next = Redacted.make("four noisy harbours")

    it.effect("change the password without the current one for 15 minutes", () =>
      Effect.gen(function*() {
        const signIn = yield* SignIn
        const { member } = yield* memberWithPassword
        const recovered = yield* signIn.withLink(yield* invite(member.id), undefined)
        const session = yield* authenticate(yield* Auth, recovered.token)
        yield* age("sessions", ["created_at"], "14 minutes")
        yield* signIn.setPassword(session, { password: next })
        yield* age("sessions", ["created_at"], "1 minute")
        yield* assertRefused(signIn.setPassword(session, { password }), "invalid_input")
        yield* signIn.setPassword(session, { password, current_password: next })
      }))

    it.effect("set a password at most five times a minute, and refused passwords do not count", () =>
      Effect.gen(function*() {
        const { member, session } = yield* memberWithPassword
        const { setPassword } = yield* SignIn
        yield* assertRefused(setPassword(session, { password: Redacted.make("password1234") }), "invalid_input")
        for (let attempt = 2; attempt <= 5; attempt++) yield* setPassword(session, { password })
        yield* assertRefused(setPassword(session, { password: next }), "rate_limited")
        yield* (yield* SignIn).withPassword(member.email, password, undefined)
      }))
  })

  describe("attempts to sign in", () => {
    const count = Effect.fnUntraced(function*(limits: AttemptLimits["Service"], times: number, of: () => Attempt) {
      const exits = yield* Effect.forEach(Array.from({ length: times }, of), (each) => Effect.exit(limits.take(each)))
      return exits.filter(Exit.isSuccess).length
    })

    it.effect("are five a minute for an account from an address, over all instances", () =>
      Effect.gen(function*() {
        const [here, there] = [yield* AttemptLimits, yield* fresh(AttemptLimits, AttemptLimits.layer)]
        assert.strictEqual(yield* count(here, 3, () => attempt("Ada@example.com", "192.0.2.1")), 3)
        assert.strictEqual(yield* count(there, 3, () => attempt("ada@example.com", "192.0.2.1")), 2)
        const refused = yield* assertRefused(here.take(attempt("Ada@example.com", "192.0.2.1")), "rate_limited")
        assert.strictEqual(refused.retryAfter, "60")
        assert.strictEqual(yield* count(here, 1, () => attempt("ada@example.com", "192.0.2.2")), 1)
        assert.strictEqual(yield* count(here, 1, () => attempt("bea@example.com", "192.0.2.1")), 1)
        yield* age("request_counts", ["ends_at"], "1 minute")
        assert.strictEqual(yield* count(here, 1, () => attempt("ada@example.com", "192.0.2.1")), 1)
      }))

    it.effect("are thirty a minute from an IPv4 address, 60 from an IPv6 /56 and 120 from a /48, without successful ones", () =>
      Effect.gen(function*() {
        const limits = yield* AttemptLimits
        let accounts = 0
        const from = (source: (account: number) => string, isKnown = false) => () =>
          attempt(`${accounts++}@example.com`, source(accounts), isKnown)
        const inNetwork = (network: string) =>
          from((account) => `2001:db8:7:${network}${(account % 16).toString(16)}::1`)
        const successful = attempt("successful@example.com", "192.0.2.30")
        yield* limits.take(successful)
        yield* limits.giveBack(successful)
        assert.strictEqual(yield* count(limits, 40, from(() => "192.0.2.30")), 30)
        assert.strictEqual(yield* count(limits, 70, inNetwork("10")), 60)
        assert.strictEqual(yield* count(limits, 70, inNetwork("2a")), 60)
        assert.strictEqual(yield* count(limits, 10, inNetwork("3")), 0)
        assert.strictEqual(yield* count(limits, 1, from(() => "2001:db8:7:300::1", true)), 1)
        assert.strictEqual(yield* count(limits, 1, from(() => "2001:db8:8:300::1")), 1)
      }))

    it.effect("with links are thirty a minute from an address, and links that sign in do not count", () =>
      Effect.gen(function*() {
        const { withLink } = yield* SignIn
        const open = (link: { readonly token: Redacted.Redacted }) =>
          Effect.provideService(withLink(link, undefined), CurrentAddress, "192.0.2.31")
        yield* open(yield* invite((yield* newMember).id))
        const wrong = open({ token: Redacted.make("oal_wrong") })
        for (let attempt = 1; attempt <= 30; attempt++) yield* assertRefused(wrong, "unauthenticated")
        yield* assertRefused(wrong, "rate_limited")
        yield* assertRefused(open(yield* invite((yield* newMember).id)), "rate_limited")
      }))

    it.effect("are a hundred an hour for an account from unknown addresses, and its member is not locked out", () =>
      Effect.gen(function*() {
        const limits = yield* AttemptLimits
        let addresses = 0
        const attacker = () => attempt("target@example.com", `198.51.100.${addresses++}`)
        assert.strictEqual(yield* count(limits, 120, attacker), 100)
        yield* age("request_counts", ["ends_at"], "2 minutes")
        assert.strictEqual(yield* count(limits, 1, attacker), 0)
        assert.strictEqual(yield* count(limits, 2, () => attempt("target@example.com", "192.0.2.7", true)), 2)
        yield* age("request_counts", ["ends_at"], "1 hour")
        assert.strictEqual(yield* count(limits, 1, attacker), 1)
      }))

    it.effect("come from a known address after a sign-in", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { id: memberId } = yield* newMember
        yield* (yield* Sessions).start({ memberId, beganWith: "password", userAgent: undefined }).pipe(
          Effect.provideService(CurrentAddress, "2001:db8:1:2:3:4:5:6")
        )
        const known = yield* sql`SELECT address FROM known_addresses WHERE member_id = ${memberId}`
        assert.deepStrictEqual(known, [{ address: "2001:db8:1:2::/64" }])
      }))
  })

  describe("admins", () => {
    it.effect("one of the last two admins stays an admin when both are made members at the same time", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE members SET role = 'member'`
        const members = [yield* Members, yield* fresh(Members, Members.layer)]
        const admins = yield* Effect.forEach(
          members,
          (each, index) => each.create({ email: `admin-${index}@example.com`, role: "admin" })
        )
        const changes = yield* Effect.forEach(
          admins,
          ({ id }, index) => Effect.exit(members[index]?.change(id, { role: "member" }) ?? Effect.die("no instance")),
          { concurrency: 2 }
        )
        assert.lengthOf(changes.filter(Exit.isSuccess), 1)
        const [last, ...others] = yield* sql<{ readonly id: string }>`SELECT id FROM members WHERE role = 'admin'`
        assert.lengthOf(others, 0)
        const { id } = last ?? assert.fail("no admin")
        const { change, delete: remove } = yield* Members
        yield* assertRefused(change(id, { role: "member" }), "last_admin")
        yield* assertRefused(remove(id), "last_admin")
        yield* assertRefused(change(id, { client_ids: [] }), "invalid_input")
      }))
  })
}
