import { Effect } from "effect"
import { InvalidInput } from "../Api/Errors.ts"
import { ConnectionDerived } from "../Api/ManagementErrors.ts"
import type { CreateConnection, StoredConnection } from "../Domain/Connection.ts"

const ofParent = ["provider", "auth_type", "credentials", "external_account", "scopes", "test"] as const

/** A connection that is not derived has credentials of its own. */
export const requireCredentials = ({ auth_type, credentials, provider }: CreateConnection) =>
  auth_type === undefined || credentials === undefined || provider === undefined
    ? Effect.fail(
      new InvalidInput({
        details: Object.entries({ provider, auth_type, credentials }).flatMap(([name, value]) =>
          value === undefined ? [{ path: [name], message: "Required without `parent_id`" }] : []
        )
      })
    )
    : Effect.succeed({ auth_type, credentials, provider })

export const requireDerivable = (request: CreateConnection, parent: StoredConnection) => {
  const details = [
    ...parent.parent_id === null ? [] : [{ path: ["parent_id"], message: "A derived connection cannot be a parent" }],
    ...ofParent.flatMap((name) =>
      request[name] === undefined ? [] : [{ path: [name], message: "It is that of the parent. Leave it out" }]
    )
  ]
  return details.length > 0 ? Effect.fail(new InvalidInput({ details })) : Effect.void
}

export const revokedParent = Effect.fail(InvalidInput.at("parent_id", "This connection is revoked"))

export const requireOwn = (connection: StoredConnection) =>
  connection.parent_id === null ? Effect.succeed(connection) : Effect.fail(new ConnectionDerived())
