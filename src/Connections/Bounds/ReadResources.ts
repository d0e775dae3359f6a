import { Effect, Result } from "effect"
import { InvalidInput } from "../../Api/Errors.ts"
import { createdWord, type Resource, resourceOf, type Resources } from "../../Domain/Access/Resource.ts"
import type { Issue } from "../../Domain/Validation/Issue.ts"
import type { Catalog } from "../../Providers/Catalog/Catalog.ts"
import type { Provider } from "../../Providers/Provider.ts"

/** Returns the canonical spellings. With `provider`, refuses resources of other providers. */
export const parseResources = (
  catalog: Catalog["Service"],
  resources: Resources,
  provider?: Provider
): Result.Result<Resources, ReadonlyArray<Issue>> => {
  if (resources === null) return Result.succeed(null)
  const details: Array<Issue> = []
  const read = resources.flatMap((text, index) => {
    const resource = readResource(catalog, text)
    const message = resource === undefined
      ? unreadable
      : provider === undefined || resource.startsWith(`${provider.id}:`)
      ? undefined
      : `Expected a resource of the provider "${provider.id}"`
    if (message !== undefined) details.push({ path: ["resources", index], message })
    return resource ?? []
  })
  return details.length > 0 ? Result.fail(details) : Result.succeed([...new Set(read)])
}

export const readResources = (
  catalog: Catalog["Service"],
  resources: Resources,
  provider?: Provider
): Effect.Effect<Resources, InvalidInput> => InvalidInput.fromResult(parseResources(catalog, resources, provider))

/** `undefined` for a text that names no resource of a known provider. */
export const readResource = (catalog: Catalog["Service"], text: string): Resource | undefined => {
  const colon = text.indexOf(":")
  const provider = catalog.providers.find(({ id }) => id === text.slice(0, colon))
  if (provider === undefined) return undefined
  const name = text.slice(colon + 1)
  const canonical = name === createdWord
    ? (createsFiles(provider) ? createdWord : undefined)
    : provider.resourceName(name)
  return canonical === undefined ? undefined : resourceOf(provider.id, canonical)
}

const createsFiles = ({ endpoints }: Provider): boolean =>
  endpoints.some(({ resources }) => typeof resources === "object" && "creates" in resources)

const unreadable = "Expected a resource such as gsc:sc-domain:acme.com, gsc:https://acme.com/, ga4:properties/123, " +
  "sitesearch:https://acme.com/, gsheets:<id> or gdocs:created"

/** Replaces the `resources` of a request, if it has any, with their canonical spellings. */
export const withReadResources = <A extends { readonly resources?: Resources }>(
  catalog: Catalog["Service"],
  request: A
): Effect.Effect<A, InvalidInput> =>
  request.resources === undefined
    ? Effect.succeed(request)
    : Effect.map(readResources(catalog, request.resources), (resources) => ({ ...request, resources }))
