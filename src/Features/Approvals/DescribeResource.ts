import { Effect } from "effect"
import type { ToolCallError } from "../../Api/Errors.ts"
import type { Resource } from "../../Domain/Access/Resource.ts"
import type { Provider } from "../../Providers/Provider.ts"
import { type Access, providerCalls, type SendRequest } from "../../Providers/ProviderClient.ts"
import type { Head } from "./StoredApproval.ts"

type Description = Pick<Head, "resourceName" | "resourceUrl">

/** The resource of a write as people know it. A title that cannot be read is `null`. */
export const describeResource = Effect.fnUntraced(function* describeResource(
  provider: Provider,
  resource: Resource | null,
  send: SendRequest,
  access: Access
): Effect.fn.Return<Description> {
  if (resource === null) return { resourceName: null, resourceUrl: null }
  const name = resource.slice(provider.id.length + 1)
  const { resourcePage } = provider
  const title: Effect.Effect<string | null, ToolCallError> =
    resourcePage?.title?.(name, providerCalls(send, provider, access)) ?? Effect.succeed(name)
  const resourceName = yield* Effect.catch(
    title,
    (error) => Effect.as(Effect.logDebug(`The title of ${resource} cannot be read: ${error.code}`), null)
  )
  return { resourceName, resourceUrl: resourcePage?.url(name) ?? null }
})
