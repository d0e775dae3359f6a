import { Effect } from "effect"
import type { ProviderCallError } from "../../Api/Errors.ts"
import type { ListedResource, Provider } from "../../Providers/Provider.ts"
import { type Access, providerCalls, type ProviderClient } from "../../Providers/ProviderClient.ts"

/** The sites or properties that an account reaches. Empty for a provider of files. */
export const listAccount = (
  client: ProviderClient["Service"],
  provider: Provider,
  access: Access
): Effect.Effect<ReadonlyArray<ListedResource>, ProviderCallError> => {
  const asked = provider.listResources?.(providerCalls(client.call, provider, access)) ?? Effect.succeed([])
  // No bound refuses this request, and no principal makes it.
  return Effect.catchTag(asked, [
    "ResourceNotFound",
    "Unauthenticated",
    "Forbidden",
    "ReadOnly",
    "ConnectionNotFound",
    "ConnectionAmbiguous",
    "ConnectionInactive",
    "InvalidInput"
  ], Effect.die)
}
