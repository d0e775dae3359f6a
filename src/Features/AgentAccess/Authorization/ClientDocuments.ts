import { Clock, Config, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AttemptLimits, requestsOf } from "../../../Capacity/AttemptLimits.ts"
import { CurrentAddress } from "../../../Domain/Request/CurrentAddress.ts"
import { BoundedDns } from "../../../Outbound/BoundedDns.ts"
import { makePublicHttp } from "../../../Outbound/PublicHttp.ts"
import { hashOf } from "../../../Secrets/SealedPayload.ts"
import { advisoryLock } from "../../../Sql/AdvisoryLock.ts"
import { rowsOf } from "../../../Sql/Rows.ts"
import { sweepTable } from "../../../Sql/Sweep.ts"

const lock = advisoryLock("oauthClientDocuments", 7_226_929)

const maxBytes = 5 * 1024
const timeout = Duration.seconds(3)
const maxUrlLength = 2000

/** Bounds of the `Cache-Control` of a document. */
const minFresh = Duration.minutes(1)
const maxFresh = Duration.hours(24)
const failureFresh = Duration.minutes(1)

/** Longer than a refresh token lives, because its use needs the document. Each use renews it. */
const usedLifetime = Duration.days(90)
const failureLifetime = Duration.days(1)

export const allowPrivateClients = Config.Boolean("OAUTH_ALLOW_PRIVATE_CLIENTS").pipe(Config.withDefault(false))

export class ClientDocuments extends Context.Service<ClientDocuments, {
  /** True if the document is stored or a signed-in member asks for it. */
  readonly mayFetch: (url: string, isSignedIn: boolean) => Effect.Effect<boolean>
  readonly find: (url: string) => Effect.Effect<Option.Option<string>>
  /** None if the fetch fails and no document is stored. */
  readonly fetch: (url: string) => Effect.Effect<Option.Option<string>>
}>()("openaccounts/Features/AgentAccess/Authorization/ClientDocuments") {
  static readonly layer = Layer.effect(
    ClientDocuments,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const limits = yield* AttemptLimits
      const http = yield* makePublicHttp({ allowPrivate: yield* allowPrivateClients })

      yield* sweepTable({
        lock,
        what: "metadata documents of agents",
        table: "oauth_client_documents",
        isOld: (now) => sql`expires_at <= ${now}`
      })

      const stored = (url: string) =>
        rows.first(sql`SELECT document, fresh_until FROM oauth_client_documents WHERE hash = ${hashOf(url)}`)

      const documentOf = Option.flatMap((row: typeof Row.Type) => Option.fromNullOr(row.document))

      const save = Effect.fnUntraced(function*(url: string, document: string | null, fresh: Duration.Duration) {
        const now = yield* Clock.currentTimeMillis
        const later = (duration: Duration.Duration) => new Date(now + Duration.toMillis(duration))
        yield* sql`
          INSERT INTO oauth_client_documents AS held (hash, url, document, fresh_until, expires_at)
          VALUES (${hashOf(url)}, ${url}, ${document}, ${later(fresh)},
            ${later(document === null ? failureLifetime : usedLifetime)})
          ON CONFLICT (hash) DO UPDATE SET document = coalesce(excluded.document, held.document),
            fresh_until = excluded.fresh_until, expires_at = greatest(held.expires_at, excluded.expires_at)`
      }, Effect.orDie)

      const request = Effect.fnUntraced(function*(url: string) {
        const response = yield* http.exchange({
          method: "GET",
          url,
          headers: { accept: "application/json" },
          timeout,
          maxBytes
        })
        if (response.status !== 200 || !response.isComplete) {
          return yield* Effect.fail({
            message: response.status === 200
              ? `The document is larger than ${maxBytes} bytes.`
              : `The response has the status ${response.status}.`
          })
        }
        const document = new TextDecoder().decode(response.body).replaceAll("\0", "")
        yield* save(url, document, freshOf(String(response.headers["cache-control"] ?? "")))
        return document
      })

      return ClientDocuments.of({
        mayFetch: Effect.fn("ClientDocuments.mayFetch")(function*(url, isSignedIn) {
          if (url.length > maxUrlLength) return false
          if (isSignedIn) return true
          return Option.isSome(documentOf(yield* stored(url)))
        }),

        find: (url) => Effect.map(stored(url), documentOf),

        fetch: Effect.fn("ClientDocuments.fetch")(function*(url) {
          const found = yield* stored(url)
          const known = documentOf(found)
          const now = yield* Clock.currentTimeMillis
          if (Option.exists(found, ({ fresh_until }) => fresh_until.getTime() > now)) return known
          const warn = ({ message }: { readonly message: string }) =>
            Effect.logWarning(`The metadata document of an agent at ${new URL(url).host} was not fetched`, message)
          const fetched = request(url).pipe(
            Effect.map(Option.some),
            Effect.catch((failure) => Effect.as(Effect.andThen(warn(failure), save(url, null, failureFresh)), known))
          )
          return yield* limits.take(requestsOf("client-document", yield* CurrentAddress)).pipe(
            Effect.andThen(fetched),
            // The refusal is not stored: others may fetch the document.
            Effect.catchTag("RateLimited", (error) => Effect.as(warn(error), known))
          )
        })
      })
    })
  ).pipe(Layer.provide([AttemptLimits.layer, BoundedDns]))
}

const freshOf = (cacheControl: string): Duration.Duration => {
  const [, seconds = "3600"] = /(?:^|,)\s*max-age\s*=\s*(\d{1,9})/i.exec(cacheControl) ?? []
  return Duration.max(minFresh, Duration.min(maxFresh, Duration.seconds(Number(seconds))))
}

const Row = Schema.Struct({ document: Schema.NullOr(Schema.String), fresh_until: Schema.Date })
const rows = rowsOf(Row)
