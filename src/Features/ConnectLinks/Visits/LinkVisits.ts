import { Array as Arr, Context, Effect, Layer, Option, Redacted, type Result } from "effect"
import { InvalidInput, type ProviderCallError, type RateLimited } from "../../../Api/Errors.ts"
import { type ProviderError } from "../../../Api/Errors/ProviderErrors.ts"
import { type LinkNotFound, LinkOver } from "../../../Api/ManagementErrors.ts"
import { ConnectFlow, type VisitorSignIn } from "../../../Connections/Connect/ConnectFlow.ts"
import { ConnectMethods } from "../../../Connections/Connect/ConnectMethods.ts"
import { ConnectRefused } from "../../../Connections/Connect/ConnectRefused.ts"
import { ConnectionTests } from "../../../Connections/ConnectionTests.ts"
import { type Credentials, parseNewCredentials } from "../../../Connections/Credentials.ts"
import type { Connection } from "../../../Domain/Connection.ts"
import { scopesNotGranted } from "../../../Domain/ScopeMeaning.ts"
import { makeDropStaleResponses } from "../../../Management/Connections/StaleResponses.ts"
import { Catalog } from "../../../Providers/Catalog/Catalog.ts"
import { productOf } from "../../../Providers/Provider.ts"
import { ConnectLinks, type OpenedLink } from "../ConnectLinks.ts"
import { linkScopes, ownScopes } from "../LinkScopes.ts"
import { connectRedirectOrigins } from "../Settings.ts"
import { type EnteredResource, readEntered } from "./EnteredResource.ts"
import { type Confirmed, type Pending, PendingConnections } from "./PendingConnections.ts"
import { chosenResources, makePendingResources, type OfferedResources, type Ticked } from "./PendingResources.ts"
import { makeVisitOf, type Visit } from "./Visit.ts"

export interface LinkAction {
  readonly token: Redacted.Redacted
  readonly browser: Redacted.Redacted
  readonly provider: string
  readonly opener: string | null
}

type LinkError = LinkNotFound | LinkOver
type StepError = LinkError | InvalidInput | RateLimited

/** The pages of connect links, for people without an account in this service. The link's token authorizes them. */
export class LinkVisits extends Context.Service<LinkVisits, {
  readonly open: (token: Redacted.Redacted, browser: Redacted.Redacted | undefined) => Effect.Effect<Visit, LinkError>
  /** Returns the URL of the provider's page, which asks for all options of the offer together. */
  readonly signIn: (step: LinkAction) => Effect.Effect<string, StepError>
  /** Stores what was granted until the person confirms the account, or says why it was not. */
  readonly comeBack: (
    signIn: VisitorSignIn
  ) => Effect.Effect<Result.Result<void, ConnectRefused | InvalidInput | ProviderError>, LinkError>
  /** Tests the credentials at the provider and stores them until the person confirms the account. Also for `invite`. */
  readonly giveApiKey: (step: LinkAction, apiKey: string) => Effect.Effect<void, StepError | ProviderCallError>
  /** Connects with the operator's own credentials. The connection reaches nothing but `resource`. */
  readonly invite: (step: LinkAction, resource: string) => Effect.Effect<void, StepError | ProviderCallError>
  /** What the person may leave out of the connections. Asks the providers, but not with the operator's credentials. */
  readonly offered: (
    visit: Visit,
    pending: Pending,
    browser: Redacted.Redacted
  ) => Effect.Effect<ReadonlyArray<OfferedResources>>
  /** `ticked` has an entry for each provider whose resources were offered. */
  readonly confirm: (
    token: Redacted.Redacted,
    browser: Redacted.Redacted,
    id: string,
    ticked: ReadonlyMap<string, Ticked>
  ) => Effect.Effect<Confirmed, LinkError | ConnectRefused | InvalidInput>
  readonly cancel: (
    token: Redacted.Redacted,
    browser: Redacted.Redacted,
    id: string
  ) => Effect.Effect<string | null, LinkError>
  /** Also works after the link has ended. */
  readonly find: (
    token: Redacted.Redacted,
    browser: Redacted.Redacted | undefined
  ) => Effect.Effect<Visit, LinkNotFound>
  /** Fails for an origin that may not open the link in a window. */
  readonly requireOpener: (origin: string | null) => Effect.Effect<string | null, ConnectRefused>
}>()("openaccounts/Features/ConnectLinks/Visits/LinkVisits") {
  static readonly layer = Layer.effect(
    LinkVisits,
    Effect.gen(function*() {
      const catalog = yield* Catalog
      const links = yield* ConnectLinks
      const flow = yield* ConnectFlow
      const visitOf = yield* makeVisitOf
      const tests = yield* ConnectionTests
      const pendings = yield* PendingConnections
      const resources = yield* makePendingResources
      const dropStaleResponses = yield* makeDropStaleResponses
      const origins = yield* connectRedirectOrigins

      const take = Effect.fnUntraced(function*({ browser, opener, provider: id, token }: LinkAction) {
        const link = yield* links.open(token)
        if (!link.providers.includes(id)) return yield* InvalidInput.at("provider", "The link is not for this provider")
        const { connection, offers } = yield* visitOf(link, undefined)
        const offer = offers.find((offer) => offer.some(({ provider }) => provider.id === id))
        const option = offer?.find(({ provider }) => provider.id === id)
        if (offer === undefined || option === undefined) {
          return yield* new LinkOver({ message: "This was connected before. A link connects each account once." })
        }
        yield* links.attempt(link.id)
        return { connection, link, offer, option, visitor: { linkId: link.id, token, browser, opener } }
      })

      const offered = ({ connection, link, options }: Visit, pending: Pending, browser: Redacted.Redacted) =>
        pending.resources !== null ? Effect.succeed([]) : resources.offer({
          visitor: { linkId: link.id, browser },
          pending,
          providers: options.flatMap(({ provider }) => pending.providers.includes(provider.id) ? [provider] : []),
          bound: boundOf(connection)
        })

      const hold = Effect.fnUntraced(function*(
        { option, visitor }: Effect.Success<ReturnType<typeof take>>,
        { credentials, entered, externalAccount, text }: {
          readonly credentials: Credentials
          readonly text: Redacted.Redacted
          readonly externalAccount: string | null
          readonly entered?: EnteredResource
        }
      ) {
        const { provider } = option
        const scopes = credentials.type === "api_key" ? [] : option.scopes
        const reading = entered === undefined ? {} : { reading: entered.reading }
        yield* tests.credentials({ provider, credentials, scopes, ...reading })
        yield* pendings.hold({
          ...visitor,
          providers: [provider.id],
          authType: credentials.type,
          credentials: text,
          externalAccount,
          scopes,
          resources: entered === undefined ? null : [entered.resource]
        })
      })

      return LinkVisits.of({
        open: Effect.fn("LinkVisits.open")(function*(token, browser) {
          return yield* visitOf(yield* links.open(token), browser)
        }),

        signIn: Effect.fn("LinkVisits.signIn")(function*(step) {
          const { link, offer, visitor } = yield* take(step)
          const [{ provider }, ...others] = offer
          return yield* flow.start({
            connectionId: link.connection_id,
            provider,
            clientId: link.client_id,
            label: labelOf(link, productOf(provider)),
            scopes: [...new Set(offer.flatMap(({ scopes }) => scopes))],
            visit: { ...visitor, furtherProviders: others.map(({ provider }) => provider.id) }
          })
        }),

        comeBack: Effect.fn("LinkVisits.comeBack")(
          function*({ browser, granted, linkId, opener, providers, scopes, token }) {
            const link = yield* links.open(token)
            return yield* Effect.result(Effect.flatMap(granted, (granted) => {
              const allowed = providers.filter((provider) =>
                scopesNotGranted(providers.length === 1 ? scopes : linkScopes(link, provider), granted.scopes)
                  .length === 0
              )
              return Arr.isReadonlyArrayNonEmpty(allowed)
                ? pendings.hold({
                  linkId,
                  browser,
                  ...granted,
                  providers: Arr.map(allowed, ({ id }) => id),
                  resources: null,
                  opener
                })
                : Effect.catch(nothingAllowed, (error) => Effect.flip(flow.explain(providers[0], error)))
            }))
          }
        ),

        giveApiKey: Effect.fn("LinkVisits.giveApiKey")(function*(step, apiKey) {
          const taken = yield* take(step)
          if (!taken.option.methods.apiKey) return yield* InvalidInput.at("method", "The provider takes no API key")
          const json = { api_key: apiKey }
          const credentials = yield* Effect.mapError(
            Effect.fromResult(parseNewCredentials("api_key", json)),
            () =>
              InvalidInput.at("api_key", apiKey === "" ? "Enter the API key" : "An API key has no white space inside")
          )
          yield* hold(taken, { credentials, text: Redacted.make(JSON.stringify(json)), externalAccount: null })
        }),

        invite: Effect.fn("LinkVisits.invite")(function*(step, resource) {
          const taken = yield* take(step)
          const { methods, provider } = taken.option
          const invitation = provider.consent?.invitation
          if (Option.isNone(methods.serviceAccount) || invitation === undefined) {
            return yield* InvalidInput.at("method", "The service has no service account for this provider")
          }
          const { credentials, email, text } = methods.serviceAccount.value
          const entered = yield* readEntered(provider, invitation, resource, boundOf(taken.connection))
          yield* hold(taken, { credentials, text, externalAccount: email, entered })
        }),

        offered,

        confirm: Effect.fn("LinkVisits.confirm")(function*(token, browser, id, ticked) {
          const visit = yield* visitOf(yield* links.open(token), browser)
          const pending = Option.filter(visit.pending, (each) => each.id === id)
          const confirmed = yield* pendings.confirm({
            resources: Option.isNone(pending) || pending.value.resources !== null
              ? new Map()
              : yield* chosenResources(ticked, offered(visit, pending.value, browser)),
            id,
            token,
            browser,
            describe: (link, { providers, scopes }, id) => {
              const signedIn = catalog.providers.filter((provider) => providers.includes(provider.id))
              const provider = signedIn.find((provider) => provider.id === id)
              return {
                label: labelOf(link, provider === undefined ? id : productOf(provider)),
                scopes: provider === undefined || link.connection_id !== null
                  ? scopes
                  : ownScopes(link, scopes, provider, signedIn.filter((other) => other !== provider))
              }
            }
          })
          yield* Effect.forEach(confirmed.connections, ({ id }) => dropStaleResponses(id), { discard: true })
          return confirmed
        }),

        cancel: Effect.fn("LinkVisits.cancel")(function*(token, browser, id) {
          const { id: linkId } = yield* links.open(token)
          const cancelled = yield* pendings.cancel({ linkId, browser }, id)
          return Option.getOrUndefined(cancelled)?.opener ?? null
        }),

        find: Effect.fn("LinkVisits.find")(function*(token, browser) {
          return yield* visitOf(yield* links.find(token), browser)
        }),

        requireOpener: (origin) =>
          origin === null || origins.includes(origin)
            ? Effect.succeed(origin)
            : Effect.fail(
              new ConnectRefused({
                reason: "opener_unknown",
                message: "The site that opened this window is not in CONNECT_REDIRECT_ORIGINS"
              })
            )
      })
    })
  ).pipe(
    Layer.provide([
      ConnectFlow.layer,
      ConnectionTests.layer,
      ConnectLinks.layer,
      ConnectMethods.layer,
      PendingConnections.layer
    ])
  )
}

const nothingAllowed = Effect.suspend(() =>
  new ConnectRefused({
    reason: "scope_missing",
    message: "A part of the access was left out. Allow everything that the provider's page lists"
  })
)

const boundOf = Option.match({ onNone: () => null, onSome: ({ resources }: Connection) => resources })

const labelOf = ({ clientName, label }: OpenedLink, product: string): string =>
  (label ?? (clientName === null ? product : `${clientName} ${product}`)).slice(0, 200)
