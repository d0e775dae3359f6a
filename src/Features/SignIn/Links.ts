import { Clock, Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { InvalidInput, Unauthenticated } from "../../Api/Errors.ts"
import { MemberNotFound } from "../../Api/ManagementErrors.ts"
import { Audit } from "../../Audit/Audit.ts"
import { MemberRepo } from "../../Auth/MemberRepo.ts"
import { MemberId } from "../../Domain/Ids.ts"
import { CurrentActor, memberActor } from "../../Domain/Request/Actor.ts"
import { generateToken, hashToken, isToken } from "../../Secrets/IssuedSecrets.ts"
import { ownDashboardUrl } from "../../Settings.ts"
import { advisoryLock, withLock } from "../../Sql/AdvisoryLock.ts"
import { rowsOf } from "../../Sql/Rows.ts"
import { inTransaction } from "../../Sql/Transaction.ts"
import { makeFirstAdmin } from "./FirstAdmin.ts"
import type { Link, LinkToken } from "./Link.ts"
import { makeSignInMethods } from "./SignInMethods.ts"

const lock = advisoryLock("links", 7_226_922)

const setupLifetime = Duration.hours(24)
const invitationLifetime = Duration.days(7)

const retention = Duration.days(90)

export class Links extends Context.Service<Links, {
  readonly create: (memberId: string) => Effect.Effect<Link, MemberNotFound>
  readonly createSetup: Effect.Effect<Option.Option<Link>>
  /** Ends the member's open link, because it has set a password. */
  readonly endOf: (memberId: MemberId) => Effect.Effect<void>
  readonly open: (link: LinkToken) => Effect.Effect<MemberId, Unauthenticated | InvalidInput>
}>()("openaccounts/Features/SignIn/Links") {
  static readonly layer = Layer.effect(
    Links,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const firstAdmin = yield* makeFirstAdmin
      const members = yield* MemberRepo
      const { canSignIn } = yield* makeSignInMethods
      const page = `${yield* ownDashboardUrl}/dashboard/link`

      const insert = Effect.fnUntraced(function*(memberId: string | null, lifetime: Duration.Duration) {
        const token = generateToken("link")
        const now = yield* Clock.currentTimeMillis
        const expiresAt = new Date(now + Duration.toMillis(lifetime))
        const { member_id: made_by } = yield* CurrentActor
        yield* sql`DELETE FROM links WHERE expires_at <= ${new Date(now - Duration.toMillis(retention))}`
        yield* sql`INSERT INTO links ${
          sql.insert({
            hash: hashOf(token),
            member_id: memberId,
            created_at: new Date(now),
            expires_at: expiresAt,
            made_by
          })
        }`
        return { url: `${page}#${Redacted.value(token)}`, expires_at: expiresAt }
      }, Effect.orDie)

      const end = Effect.fnUntraced(function*(how: typeof LinkRow.Type["ended"], which: Fragment) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const ended = yield* sql`
          UPDATE links SET ended = ${how}, ended_at = ${now} WHERE ended IS NULL AND ${which} RETURNING hash`
        return ended.length
      }, Effect.orDie)

      const openSetup = Effect.fnUntraced(function*({ email, name = null }: LinkToken) {
        if (yield* canSignIn(yield* members.admins)) return yield* refuse("unneeded")
        if (email === undefined) return yield* InvalidInput.at("email", emailMissing)
        yield* end("used", sql`member_id IS NULL`)
        return yield* firstAdmin(email, name)
      })

      return Links.of({
        create: Effect.fn("Links.create")(function*(memberId) {
          return yield* audit.change(
            Effect.gen(function*() {
              if (Option.isNone(yield* members.find(memberId, "FOR UPDATE"))) return yield* new MemberNotFound()
              yield* end("replaced", sql`member_id = ${memberId}`)
              return yield* insert(memberId, invitationLifetime)
            }),
            ({ expires_at }) => [{
              action: "member.link_created",
              subject: memberId,
              details: { expires_at: expires_at.toISOString() }
            }]
          )
        }),

        endOf: (memberId) => Effect.asVoid(end("password", sql`member_id = ${memberId}`)),

        createSetup: Effect.gen(function*() {
          if (yield* canSignIn(null)) return Option.none()
          return Option.some(yield* insert(null, setupLifetime))
        }),

        open: Effect.fn("Links.open")(
          function*(link) {
            if (!isToken("link", link.token)) return yield* refuse("unknown")
            const hash = hashOf(link.token)
            const found = yield* links.first(sql`
              SELECT member_id, expires_at, ended, made_by FROM links WHERE hash = ${hash}`)
            if (Option.isNone(found)) return yield* refuse("unknown")
            const { ended, expires_at, made_by, member_id } = found.value
            if (ended !== null) return yield* refuse(ended)
            if (expires_at.getTime() <= (yield* Clock.currentTimeMillis)) return yield* refuse("old")
            if (member_id === null) return yield* openSetup(link)
            if (made_by !== null && !(yield* members.admins).includes(made_by)) return yield* refuse("disowned")
            if (link.email !== undefined || link.name !== undefined) {
              return yield* InvalidInput.at("email", notForSetup)
            }
            yield* audit.change(
              end("used", sql`hash = ${hash}`),
              () => [{ action: "member.link_used", subject: member_id }]
            ).pipe(Effect.provideService(CurrentActor, memberActor(member_id)))
            return member_id
          },
          // Under a lock, so that a link is used only once.
          (opened) => withLock(lock, opened).pipe(Effect.provideService(SqlClient.SqlClient, sql), inTransaction(sql))
        )
      })
    })
  )
}

const LinkRow = Schema.Struct({
  member_id: Schema.NullOr(MemberId),
  expires_at: Schema.Date,
  ended: Schema.NullOr(Schema.Literals(["used", "replaced", "password"])),
  made_by: Schema.NullOr(MemberId)
})
const links = rowsOf(LinkRow)

const hashOf = (token: Redacted.Redacted) => Buffer.from(hashToken(token), "hex")

const refusals = {
  used: "This link was used before. Sign in, or ask an admin for a new link.",
  replaced: "This link was replaced by a newer one. Use that one, or ask an admin for another.",
  password: "This link has ended, because you have set a password since. Sign in, or ask an admin for a new link.",
  disowned: "This link has ended with the rights of the admin who made it. Ask another admin for a new link.",
  unneeded: "This setup link has ended: an admin can sign in. Ask an admin for an invitation.",
  old: "This link has expired. Ask an admin for a new link.",
  unknown: "This link is unknown. Check that it is complete, or ask an admin for a new link."
}

const refuse = (reason: keyof typeof refusals) => Effect.fail(new Unauthenticated({ message: refusals[reason] }))

const emailMissing = "A setup link needs the e-mail address of the first admin"
const notForSetup = "Only a setup link takes `email` and `name`"
