import { Cache, Clock, Duration, Effect, Exit, Option, Schema } from "effect"
import { hash } from "node:crypto"
import { InvalidInput, type ProviderCallError } from "../../../Api/Errors.ts"
import { CredentialsRejected } from "../../../Api/Errors/ProviderErrors.ts"
import { listAccount } from "../../../Connections/Bounds/ListAccount.ts"
import type { Visitor } from "../../../Connections/Connect/SignIns.ts"
import { isUsable, parseStoredCredentials } from "../../../Connections/Credentials.ts"
import { makeTrialAccess } from "../../../Connections/TrialAccess.ts"
import { type Resource, resourceOf, type Resources } from "../../../Domain/Access/Resource.ts"
import { OAuth } from "../../../Providers/OAuth/OAuth.ts"
import type { Provider } from "../../../Providers/Provider.ts"
import { makeServiceClient } from "../../../Providers/Sending/SendSteps.ts"
import { type Pending, PendingConnections } from "./PendingConnections.ts"

/** The bounds of a connection have at most this many resources. */
export const maxOffered = 1000

export interface OfferedResource {
  readonly resource: Resource
  readonly title: string
  /** Short, so that a form with many of them stays small. */
  readonly key: string
}

/** What a person may leave out of a connection. `undefined` if the provider did not list it. */
export interface OfferedResources {
  readonly provider: Provider
  readonly resources: ReadonlyArray<OfferedResource> | undefined
}

/** The keys of the resources that a person left ticked, and how many were offered. */
export interface Ticked {
  readonly keys: ReadonlySet<string>
  readonly offered: number
}

interface Offering {
  readonly visitor: Visitor
  readonly pending: Pending
  readonly providers: ReadonlyArray<Provider>
  /** The bound of the connection that is reconnected. */
  readonly bound: Resources
}

class Asked extends Schema.Class<Asked>("Asked")({ id: Schema.String, provider: Schema.String }) {}

const maxAge = Duration.seconds(60)
const maxFailureAge = Duration.seconds(5)

export const makePendingResources = Effect.gen(function*() {
  const client = yield* makeServiceClient
  const oauth = yield* OAuth
  const pendings = yield* PendingConnections

  const list = Effect.fnUntraced(function*(visitor: Visitor, { authType, id, scopes }: Pending, provider: Provider) {
    const text = yield* pendings.credentialsOf(visitor, id)
    if (Option.isNone(text)) return []
    const credentials = yield* parseStoredCredentials(authType, text.value)
    // Refreshing could end the stored token.
    if (credentials.type === "oauth" && !isUsable(credentials.oauth, yield* Clock.currentTimeMillis)) {
      return yield* new CredentialsRejected({ message: "The sign-in is too old to read what the account has." })
    }
    const access = yield* makeTrialAccess(oauth, { provider, credentials, scopes })
    const listed = yield* listAccount(client, provider, { ...access, renew: () => access.secret })
    const titles = new Map(listed.flatMap(({ name, title }): ReadonlyArray<readonly [Resource, string]> => {
      const canonical = provider.resourceName(name)
      return canonical === undefined ? [] : [[resourceOf(provider.id, canonical), title]]
    }))
    return [...titles].map(([resource, title]): OfferedResource => ({ resource, title, key: keyOf(resource) }))
  })

  const asking = new Map<string, Effect.Effect<ReadonlyArray<OfferedResource>, ProviderCallError>>()
  const listed = yield* Cache.makeWith(
    ({ id, provider }: Asked) => asking.get(`${id} ${provider}`) ?? Effect.succeed([]),
    {
      capacity: 1000,
      timeToLive: (exit) => Exit.isSuccess(exit) ? maxAge : maxFailureAge
    }
  )

  const offerOf = Effect.fnUntraced(function*({ bound, pending, visitor }: Offering, provider: Provider) {
    if (provider.listResources === undefined) return { provider, resources: [] }
    const name = `${pending.id} ${provider.id}`
    const found = yield* Effect.suspend(() => {
      asking.set(name, list(visitor, pending, provider))
      const get = Cache.get(listed, new Asked({ id: pending.id, provider: provider.id }))
      return Effect.ensuring(Effect.option(get), Effect.sync(() => asking.delete(name)))
    })
    const within = Option.map(found, (all) => all.filter(({ resource }) => bound?.includes(resource) ?? true))
    return { provider, resources: Option.getOrUndefined(within) }
  })

  return {
    /** At most 60 s old. */
    offer: Effect.fn("PendingResources.offer")(
      (offering: Offering): Effect.Effect<ReadonlyArray<OfferedResources>> =>
        Effect.forEach(offering.providers, (provider) => offerOf(offering, provider), { concurrency: "unbounded" })
    )
  }
})

/**
 * The ticked resources by provider. A provider with everything ticked has no entry, so that resources which the account
 * gets later are allowed too. `offered` is called only if something was unticked.
 */
export const chosenResources = Effect.fnUntraced(function*(
  ticked: ReadonlyMap<string, Ticked>,
  offered: Effect.Effect<ReadonlyArray<OfferedResources>>
): Effect.fn.Return<ReadonlyMap<string, ReadonlyArray<Resource>>, InvalidInput> {
  const limited = [...ticked].filter(([, { keys, offered }]) => keys.size < offered)
  const lists = limited.length === 0 ? [] : yield* offered
  return new Map(
    yield* Effect.forEach(limited, ([id, { keys }]) => {
      const list = lists.find(({ provider }) => provider.id === id)?.resources
      const left = list?.flatMap(({ key, resource }) => keys.has(key) ? [resource] : []) ?? []
      const message = list === undefined ? notListed : nothingTicked
      return left.length > 0 ? Effect.succeed([id, left] as const) : Effect.fail(InvalidInput.at("resources", message))
    })
  )
})

const nothingTicked = "Leave at least one ticked"
const notListed = "What the account has could not be read. Try again"

const keyOf = (resource: Resource): string => hash("sha256", resource, "base64url").slice(0, 8)
