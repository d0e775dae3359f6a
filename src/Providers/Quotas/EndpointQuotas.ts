import { type Resource, resourceOf } from "../../Domain/Access/Resource.ts"
import type { Provider, RawEndpoint, RawInput } from "../Provider.ts"
import { type Quota, type QuotaAccount, subjectOf } from "../Quota.ts"
import { firstName } from "../Resources.ts"
import type { LocalBucket } from "./LocalBucket.ts"
import type { LocalBuckets } from "./LocalBuckets.ts"

/** What requests of one account for one resource take units from. */
export interface RequestBuckets {
  readonly resource: Resource | null
  readonly buckets: ReadonlyArray<LocalBucket>
}

const maxResources = 1000

/** The quotas of an endpoint. Remembers the buckets of its requests, because every call asks for them. */
export class EndpointQuotas {
  readonly #provider: Provider
  readonly #endpoint: RawEndpoint
  readonly #quotas: ReadonlyArray<Quota>
  readonly #buckets: LocalBuckets
  readonly #needsResource: boolean
  /** By account, then by name of the resource. */
  readonly #known = new WeakMap<QuotaAccount, Map<string | undefined, RequestBuckets>>()

  constructor(provider: Provider, endpoint: RawEndpoint, quotas: ReadonlyArray<Quota>, buckets: LocalBuckets) {
    this.#provider = provider
    this.#endpoint = endpoint
    this.#quotas = quotas
    this.#buckets = buckets
    this.#needsResource = quotas.some(isOfResource)
  }

  get isEmpty(): boolean {
    return this.#quotas.length === 0
  }

  bucketsOf(input: RawInput, account: QuotaAccount): RequestBuckets {
    const name = this.#needsResource ? firstName(this.#provider, this.#endpoint.resources, input) : undefined
    let byName = this.#known.get(account)
    const known = byName?.get(name)
    if (known !== undefined) return known
    if (byName === undefined || byName.size >= maxResources) this.#known.set(account, byName = new Map())
    const resource = name === undefined ? null : resourceOf(this.#provider.id, name)
    const found = {
      resource,
      buckets: this.#quotas.flatMap((quota) => {
        const subject = subjectOf(quota.scope, account, resource)
        return subject === undefined ? [] : this.#buckets.of(quota, subject)
      })
    }
    byName.set(name, found)
    return found
  }
}

export const isOfResource = ({ scope }: Quota): boolean => scope === "resource" || scope === "project_resource"
