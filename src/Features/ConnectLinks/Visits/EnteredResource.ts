import { Effect } from "effect"
import { InvalidInput } from "../../../Api/Errors.ts"
import { type Resource, resourceOf, type Resources } from "../../../Domain/Access/Resource.ts"
import type { Invitation, Provider, ReadCall } from "../../../Providers/Provider.ts"
import { firstName } from "../../../Providers/Resources.ts"

/** What a person shared with the operator's service account, and the request that tells whether it can be read. */
export interface EnteredResource {
  readonly resource: Resource
  readonly reading: ReadCall
}

/** `bound` is that of the connection that is reconnected. What is outside of it is refused without a request. */
export const readEntered = (
  provider: Provider,
  { read, resource: { hint } }: Invitation,
  text: string,
  bound: Resources
): Effect.Effect<EnteredResource, InvalidInput> => {
  const reading = read(text.trim())
  const name = reading && firstName(provider, reading.endpoint.resources, reading.input)
  if (reading === undefined || name === undefined) {
    return Effect.fail(InvalidInput.at("resource", `Enter it in this form. ${hint}`))
  }
  const resource = resourceOf(provider.id, name)
  return bound === null || bound.includes(resource)
    ? Effect.succeed({ resource, reading })
    : Effect.fail(InvalidInput.at("resource", "This connection is for something else. Enter what it was made for"))
}
