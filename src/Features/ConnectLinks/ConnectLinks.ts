import { Clock, Context, Duration, Effect, Layer, Option, Redacted, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { RateLimited } from "../../Api/Errors.ts"
import { LinkNotFound, LinkOver } from "../../Api/ManagementErrors.ts"
import { Audit } from "../../Audit/Audit.ts"
import { ClientRepo } from "../../Auth/ClientRepo.ts"
import { couldMakeLink, makeMayConnect } from "../../Auth/ConnectRights.ts"
import { MemberRepo } from "../../Auth/MemberRepo.ts"
import { overMemberShare } from "../../Capacity/Capacity.ts"
import { ConnectionRepo } from "../../Connections/ConnectionRepo.ts"
import {
  type ConnectLink,
  type CreatedConnectLink,
  defaultLifetime,
  type LinkAccess
} from "../../Domain/ConnectLink.ts"
import { type ClientId, type ConnectionId, ConnectLinkId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import type { Page, PageRequest } from "../../Domain/Page.ts"
import { type Actor, CurrentActor } from "../../Domain/Request/Actor.ts"
import { CurrentScope, type ManagementScope } from "../../Domain/Request/ManagementScope.ts"
import { generateToken, hashToken, isToken } from "../../Secrets/IssuedSecrets.ts"
import { ownBaseUrl } from "../../Settings.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { countOf, selectNewest } from "../../Sql/Rows.ts"
import { attempts, endedLinks, type LinkRow, links, opened, withStatus } from "./LinkRows.ts"

export interface NewLink {
  readonly clientId: ClientId | null
  readonly connectionId: ConnectionId | null
  readonly providers: ReadonlyArray<string>
  readonly access?: LinkAccess | undefined
  readonly label?: string | undefined
  readonly redirectUrl?: string | undefined
  readonly lifetime?: Duration.Duration | undefined
}

export interface OpenedLink extends ConnectLink {
  readonly clientName: string | null
}

const retentionAfterExpiry = Duration.days(90)

const auditedFields = ["client_id", "connection_id", "providers", "access", "label", "redirect_url"] as const

const maxOpenLinks = 100
const tooManyLinks = `The member has ${maxOpenLinks} open links. End one that is not needed, then make a new one.`

/** Limits the sign-ins and checks of one link, because a check sends requests to the provider. */
const maxAttempts = 30
const attemptsWindow = Duration.minutes(10)

export class ConnectLinks extends Context.Service<ConnectLinks, {
  /** `CurrentActor` is recorded as the maker. Only this result has the URL. */
  readonly create: (link: NewLink) => Effect.Effect<CreatedConnectLink, RateLimited>
  readonly list: (page: PageRequest) => Effect.Effect<Page<ConnectLink>>
  readonly end: (id: string) => Effect.Effect<ConnectLink, LinkNotFound>
  /** How many links of the client are open. */
  readonly countOf: (clientId: ClientId) => Effect.Effect<number>
  readonly endOfClient: (clientId: ClientId) => Effect.Effect<void>
  /** Ends the open links that would reconnect one of the connections. */
  readonly endOf: (connectionIds: ReadonlyArray<ConnectionId>) => Effect.Effect<void>
  /**
   * Fails with `LinkOver` when the link is revoked, expired or used up, its client or its maker's rights are gone,
   * or the connection that it reconnects has another client.
   */
  readonly open: (token: Redacted.Redacted) => Effect.Effect<OpenedLink, LinkNotFound | LinkOver>
  readonly find: (token: Redacted.Redacted) => Effect.Effect<OpenedLink, LinkNotFound>
  readonly attempt: (id: ConnectLinkId) => Effect.Effect<void, RateLimited>
}>()("openaccounts/Features/ConnectLinks/ConnectLinks") {
  static readonly layer = Layer.effect(
    ConnectLinks,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const clients = yield* ClientRepo
      const connections = yield* ConnectionRepo
      const mayConnect = yield* makeMayConnect
      const members = yield* MemberRepo
      const page = `${yield* ownBaseUrl}/connect/`

      const isHeld = couldMakeLink(sql, {
        client: sql`connect_links.client_id`,
        holder: sql`connect_links.holder_id`,
        member: sql`connect_links.member_id`
      })

      const columns = sql`id, client_id, connection_id, providers, access, label, redirect_url, created_at, expires_at,
        ended_at, ${isHeld} AS is_held, coalesce((
          SELECT json_agg(json_build_object('provider', provider, 'connection_id', uses.connection_id, 'at', at)
            ORDER BY at, array_position(connect_links.providers, provider))
          FROM connect_link_uses AS uses WHERE link_id = connect_links.id), '[]') AS connected`

      const within = ({ clientIds }: ManagementScope) =>
        clientIds === null ? sql`true` : sql`client_id = ANY(${textArray(clientIds)})`

      /** The connection may have another client since the link was made. */
      const hasConnection = Effect.fnUntraced(function*({ client_id, connection_id }: typeof LinkRow.Type) {
        if (connection_id === null) return true
        const connection = yield* connections.find(connection_id)
        return Option.isSome(connection) && connection.value.client_id === client_id
      })

      const find = Effect.fn("ConnectLinks.find")(
        function*(token: Redacted.Redacted): Effect.fn.Return<OpenedLink, LinkNotFound> {
          if (!isToken("connect", token)) return yield* new LinkNotFound({ message: messages.unknown })
          const now = yield* Clock.currentTimeMillis
          const found = yield* opened.first(sql`
            SELECT ${columns}, json_build_object('type', actor_type, 'member_id', member_id) AS maker, holder_id
            FROM connect_links WHERE hash = ${hashOf(token)}`)
          if (Option.isNone(found)) return yield* new LinkNotFound({ message: messages.unknown })
          const { holder_id, maker, ...link } = found.value
          const { status } = withStatus(now)(link)
          const client = link.client_id === null ? Option.none() : yield* clients.find(link.client_id)
          const hasClient = link.client_id === null || Option.isSome(client)
          const isHeld = status === "open" && hasClient && (yield* hasConnection(link)) &&
            (yield* mayConnect(maker, link.client_id, holder_id))
          return {
            ...link,
            clientName: Option.isSome(client) ? client.value.name : null,
            status: status === "open" && !isHeld ? "ended" : status
          }
        }
      )

      const isOpen = (now: number) =>
        sql`ended_at IS NULL AND expires_at > ${new Date(now)} AND ${isHeld} AND cardinality(providers) >
          (SELECT count(*) FROM connect_link_uses AS uses WHERE uses.link_id = connect_links.id)`

      /** Locks the member, so that links made at the same time count each other. */
      const requireRoom = Effect.fnUntraced(function*({ member_id }: Actor, now: number) {
        yield* members.lock(member_id)
        const open = yield* sql`
          SELECT 1 FROM connect_links WHERE member_id = ${member_id} AND ${isOpen(now)} LIMIT ${maxOpenLinks}`
        if (open.length >= maxOpenLinks) return yield* overMemberShare(tooManyLinks, 60)
      })

      const endWhere = (now: number, which: Fragment) =>
        Effect.orDie(audit.change(
          endedLinks.all(sql`
            UPDATE connect_links SET ended_at = ${new Date(now)} WHERE ${which} AND ended_at IS NULL RETURNING id`),
          (links) => links.map(({ id }) => ({ action: "link.ended", subject: id }))
        ))

      return ConnectLinks.of({
        create: Effect.fn("ConnectLinks.create")(
          function*({ access = "read_only", clientId, connectionId, label, lifetime, providers, redirectUrl }) {
            const token = generateToken("connect")
            const now = yield* Clock.currentTimeMillis
            const actor = yield* CurrentActor
            const { holder, memberId } = yield* CurrentScope
            const link: ConnectLink = {
              id: ConnectLinkId.make(yield* newId("lnk")),
              status: "open",
              client_id: clientId,
              connection_id: connectionId,
              providers,
              access,
              label: label ?? null,
              redirect_url: redirectUrl ?? null,
              connected: [],
              created_at: new Date(now),
              expires_at: new Date(now + Duration.toMillis(lifetime ?? defaultLifetime)),
              ended_at: null
            }
            const { connected: _, status: __, ...row } = link
            const forgotten = sql`expires_at <= ${new Date(now - Duration.toMillis(retentionAfterExpiry))}`
            yield* sql`
              DELETE FROM connect_link_uses WHERE link_id IN (SELECT id FROM connect_links WHERE ${forgotten})`
            yield* sql`DELETE FROM connect_links WHERE ${forgotten}`
            const insert = sql`INSERT INTO connect_links ${
              sql.insert({
                ...row,
                hash: hashOf(token),
                providers: textArray(providers),
                actor_type: actor.type,
                member_id: actor.member_id,
                holder_id: holder?.id ?? null
              })
            }`
            yield* audit.change(
              actor.type === "member" || memberId !== null ? Effect.andThen(requireRoom(actor, now), insert) : insert,
              () => [{
                action: "link.created",
                subject: link.id,
                details: { ...Struct.pick(link, auditedFields), expires_at: link.expires_at.toISOString() }
              }]
            )
            return { ...link, url: `${page}${Redacted.value(token)}` }
          },
          Effect.catchTag("SqlError", Effect.die)
        ),

        list: Effect.fn("ConnectLinks.list")(function*(page) {
          const scope = yield* CurrentScope
          const now = yield* Clock.currentTimeMillis
          const { items, ...rest } = yield* selectNewest(
            sql,
            page,
            (after, end) =>
              links.all(sql`SELECT ${columns} FROM connect_links WHERE ${after} AND ${within(scope)} ${end}`)
          )
          return { ...rest, items: items.map(withStatus(now)) }
        }),

        end: Effect.fn("ConnectLinks.end")(function*(id) {
          const now = yield* Clock.currentTimeMillis
          const visible = sql`id = ${id} AND ${within(yield* CurrentScope)}`
          yield* endWhere(now, visible)
          const link = yield* links.first(sql`SELECT ${columns} FROM connect_links WHERE ${visible}`)
          return Option.isSome(link) ? withStatus(now)(link.value) : yield* new LinkNotFound()
        }),

        countOf: Effect.fn("ConnectLinks.countOf")(function*(clientId) {
          const now = yield* Clock.currentTimeMillis
          return yield* countOf(
            sql`SELECT count(*)::integer FROM connect_links WHERE client_id = ${clientId} AND ${isOpen(now)}`
          )
        }),

        endOfClient: Effect.fn("ConnectLinks.endOfClient")(function*(clientId) {
          const now = yield* Clock.currentTimeMillis
          yield* endWhere(now, sql`client_id = ${clientId} AND ${isOpen(now)}`)
        }),

        endOf: Effect.fn("ConnectLinks.endOf")(function*(connectionIds) {
          const now = yield* Clock.currentTimeMillis
          yield* endWhere(now, sql`connection_id = ANY(${textArray(connectionIds)}) AND expires_at > ${new Date(now)}`)
        }),

        open: Effect.fn("ConnectLinks.open")(function*(token) {
          const link = yield* find(token)
          if (link.status === "open") return link
          return yield* new LinkOver({ message: messages[link.status], isUsedUp: link.status === "used" })
        }),

        find,

        attempt: Effect.fn("ConnectLinks.attempt")(function*(id) {
          const now = yield* Clock.currentTimeMillis
          const [since, at] = [new Date(now - Duration.toMillis(attemptsWindow)), new Date(now)]
          const counted = yield* attempts.first(sql`
            UPDATE connect_links SET
              attempts = CASE WHEN attempts_since > ${since} THEN attempts + 1 ELSE 1 END,
              attempts_since = CASE WHEN attempts_since > ${since} THEN attempts_since ELSE ${at}::timestamptz END
            WHERE id = ${id} RETURNING attempts, attempts_since`)
          if (Option.isNone(counted) || counted.value.attempts <= maxAttempts) return
          const end = counted.value.attempts_since.getTime() + Duration.toMillis(attemptsWindow)
          return yield* new RateLimited({
            message: "This link was tried too often. Wait ten minutes and try again.",
            details: { limited_by: "sign_in", retry_after_seconds: Math.ceil((end - now) / 1000) }
          })
        })
      })
    })
  )
}

const messages = {
  unknown: "This link is unknown. Check that it is complete.",
  used: "This link has connected all of its accounts. You have nothing left to do.",
  expired: "This link has expired. Ask the person who sent it for a new one.",
  ended: "This link was ended. Ask the person who sent it for a new one."
}

const hashOf = (token: Redacted.Redacted) => Buffer.from(hashToken(token), "hex")
