import { type Resource, resourceOf } from "../../Domain/Access/Resource.ts"
import type { ConnectionId } from "../../Domain/Ids.ts"
import type { Provider, RawEndpoint, RawInput } from "../../Providers/Provider.ts"
import { isOfResource, type Quota, type QuotaAccount, subjectOf, unitsOf } from "../../Providers/Quota.ts"
import { firstName } from "../../Providers/Resources.ts"
import type { Claim, LocalBucket } from "./LocalBucket.ts"
import type { LocalBuckets } from "./LocalBuckets.ts"

/** The quotas that count the requests of one account for one resource. */
export interface RequestQuotas {
  readonly resource: Resource | null
  readonly buckets: ReadonlyArray<LocalBucket>
  readonly claimsOf: (input: RawInput) => ReadonlyArray<Claim>
  /** The last connection that used them, and until when that is noted, in epoch milliseconds. */
  usedBy: ConnectionId | undefined
  notedUntil: number
}

const maxResources = 1000

/** The quotas of an endpoint. Remembers those of its requests, because every call asks for them. */
export class EndpointQuotas {
  readonly #provider: Provider
  readonly #endpoint: RawEndpoint
  readonly #quotas: ReadonlyArray<Quota>
  readonly #buckets: LocalBuckets
  readonly #needsResource: boolean
  /** The units of a request depend on its input. */
  readonly #isByInput: boolean
  /** By account, then by resource. Those of resources that the account has not reached are apart. */
  readonly #reached = new WeakMap<QuotaAccount, Map<Resource | null, RequestQuotas>>()
  readonly #named = new WeakMap<QuotaAccount, Map<Resource | null, RequestQuotas>>()

  constructor(provider: Provider, endpoint: RawEndpoint, quotas: ReadonlyArray<Quota>, buckets: LocalBuckets) {
    this.#provider = provider
    this.#endpoint = endpoint
    this.#quotas = quotas
    this.#buckets = buckets
    this.#needsResource = quotas.some(isOfResource)
    this.#isByInput = quotas.some(({ units }) => typeof units[endpoint.id] === "function")
  }

  get isEmpty(): boolean {
    return this.#quotas.length === 0
  }

  /** `null` also where no quota counts by resource. */
  resourceOf(input: RawInput): Resource | null {
    const name = this.#needsResource ? firstName(this.#provider, this.#endpoint.resources, input) : undefined
    return name === undefined ? null : resourceOf(this.#provider.id, name)
  }

  of(input: RawInput, account: QuotaAccount, resource: Resource | null, isReached: boolean): RequestQuotas {
    const byAccount = isReached ? this.#reached : this.#named
    let byResource = byAccount.get(account)
    const known = byResource?.get(resource)
    if (known !== undefined) return known
    if (byResource === undefined || byResource.size >= maxResources) byAccount.set(account, byResource = new Map())
    const buckets = this.#quotas.flatMap((quota) => {
      const subject = subjectOf(quota.scope, account, resource, isReached)
      return subject === undefined ? [] : this.#buckets.of(quota, subject)
    })
    const claimsOf = (input: RawInput) =>
      buckets.flatMap((bucket): ReadonlyArray<Claim> => {
        const units = unitsOf(bucket.quota, this.#endpoint.id, input)
        return units === 0 ? [] : [{ bucket, units }]
      })
    const fixed = this.#isByInput ? undefined : claimsOf(input)
    const found: RequestQuotas = {
      resource,
      buckets,
      claimsOf: (input) => fixed ?? claimsOf(input),
      usedBy: undefined,
      notedUntil: 0
    }
    byResource.set(resource, found)
    return found
  }
}
