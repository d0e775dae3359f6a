import { Context, Effect, Layer, Redacted } from "effect"
import { ConnectionRepo } from "../../Connections/ConnectionRepo.ts"
import { ConnectionTokens } from "../../Connections/ConnectionTokens.ts"
import type { StoredConnection } from "../../Domain/Connection.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { google } from "../../Providers/Google/IdentityProvider.ts"
import { readApplication } from "../../Providers/OAuth/OAuth.ts"
import { Origins } from "../../Providers/Origins.ts"
import type { Provider } from "../../Providers/Provider.ts"
import { Upstream } from "../../Providers/Upstream.ts"
import { upstreamUrl } from "../../Providers/UpstreamUrl.ts"
import { isSandboxed } from "../../Settings.ts"
import { type Ask, startAsking } from "./Ask.ts"
import { checkClient } from "./ClientCheck.ts"
import { checkConnection } from "./ConnectionCheck.ts"
import type { GoogleCheck } from "./Contract.ts"
import { Findings } from "./Findings.ts"
import { projectOfSettings, SignInRefusals } from "./SignInRefusals.ts"

/** Connections that are checked of each provider and way to authenticate. */
const maxConnections = 3

interface Checked {
  readonly connection: StoredConnection
  readonly provider: Provider
}

/** Checks the operator's project at Google by its settings and by what Google answers. */
export class GoogleChecks extends Context.Service<GoogleChecks, {
  readonly run: Effect.Effect<ReadonlyArray<GoogleCheck>>
}>()("openaccounts/Features/GoogleSetup/GoogleChecks") {
  static readonly layer = Layer.effect(
    GoogleChecks,
    Effect.gen(function*() {
      const connections = yield* ConnectionRepo
      const tokens = yield* ConnectionTokens
      const upstream = yield* Upstream
      const originUrl = yield* Origins
      const catalog = yield* Catalog
      const sandboxed = yield* isSandboxed
      const { application } = yield* readApplication(google)
      const { refusals } = yield* SignInRefusals
      const project = yield* projectOfSettings
      const providers = catalog.providers.filter(({ identity }) => identity?.id === google.id)

      /** The newest of each kind first, so that all kinds are looked at before the requests are used up. */
      const toCheck = Effect.gen(function*() {
        const found = yield* Effect.forEach(
          providers,
          (provider) =>
            Effect.forEach(["active", "expired"] as const, (status) =>
              Effect.map(
                connections.page(null, { provider: provider.id, status }, { limit: 50 }),
                ({ items }) =>
                  items.flatMap((connection): ReadonlyArray<Checked> =>
                    connection.parent_id === null ? [{ connection, provider }] : []
                  )
              ))
        )
        const places = new Map<string, number>()
        const placed = found.flat(2).map((checked) => {
          const kind = `${checked.provider.id} ${checked.connection.auth_type}`
          const place = places.get(kind) ?? 0
          places.set(kind, place + 1)
          return { ...checked, place }
        })
        return placed.filter(({ place }) => place < maxConnections).toSorted((a, b) => a.place - b.place)
      })

      const reachApis = Effect.fnUntraced(function*(ask: Ask) {
        const identity = new URL(originUrl(google.token)).origin
        const urls = providers.flatMap(({ endpoints }) => endpoints.map(({ origin }) => originUrl(origin)))
        const others = new Set(urls.map((url) => new URL(url).origin).filter((origin) => origin !== identity))
        yield* Effect.forEach(others, (origin) => ask({ method: "GET", url: upstreamUrl(`${origin}/`) }), {
          concurrency: "unbounded",
          discard: true
        })
      })

      return GoogleChecks.of({
        run: Effect.gen(function*() {
          const findings = new Findings()
          if (sandboxed) {
            findings.note("egress", "unknown", "PROVIDER_MODE is sandbox, so Google is not asked.")
            return findings.checks(providers, project)
          }
          const ask = yield* startAsking(upstream, findings)
          const configured = yield* Effect.orElseSucceed(application, () => undefined)
          const secret = configured?.client_secret ?? Redacted.make("")
          yield* checkClient({ ask, findings, originUrl, project, secret })
          yield* reachApis(ask)
          for (const { at, checkId, code } of yield* refusals) {
            findings.note(
              checkId,
              "wrong",
              `A sign-in came back with ${code} at ${at.toISOString()}, and none has worked since.`
            )
          }
          const check = { ask, findings, originUrl, tokens, application: configured }
          yield* Effect.forEach(
            yield* toCheck,
            ({ connection, provider }) => checkConnection(check, connection, provider),
            { concurrency: 4, discard: true }
          )
          return findings.checks(providers, project)
        }).pipe(Effect.withSpan("GoogleChecks.run"))
      })
    })
  )
}
