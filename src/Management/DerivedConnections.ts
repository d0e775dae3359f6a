import { Effect } from "effect"
import { InvalidInput } from "../Api/Errors.ts"
import { ConnectionDerived } from "../Api/ManagementErrors.ts"
import type { CreateConnection, StoredConnection } from "../Domain/Connection.ts"
import type { Issue } from "../Domain/Validation/Issue.ts"

const needed = ["provider", "auth_type", "credentials"]
const ofParent = [...needed, "external_account", "scopes", "test"]

/** A connection that is not derived has credentials of its own. */
export const requireCredentials = (connection: CreateConnection) => {
  const { auth_type, credentials, provider } = connection
  return auth_type === undefined || credentials === undefined || provider === undefined
    ? Effect.fail(new InvalidInput({ details: issuesOfOwner(connection) }))
    : Effect.succeed({ auth_type, credentials, provider })
}

/** What a new connection lacks, or has although its parent has it. */
export const issuesOfOwner = (sent: object): ReadonlyArray<Issue> =>
  "parent_id" in sent
    ? ofParent.filter((name) => name in sent).map((name) => ({
      path: [name],
      message: "It is that of the parent. Leave it out"
    }))
    : needed.filter((name) => !(name in sent)).map((name) => ({
      path: [name],
      message: "Required without `parent_id`"
    }))

export const requireDerivable = (parent: StoredConnection) =>
  parent.parent_id === null
    ? Effect.void
    : Effect.fail(InvalidInput.at("parent_id", "A derived connection cannot be a parent"))

export const revokedParent = Effect.fail(InvalidInput.at("parent_id", "This connection is revoked"))

export const requireOwn = (connection: StoredConnection) =>
  connection.parent_id === null ? Effect.succeed(connection) : Effect.fail(new ConnectionDerived())
