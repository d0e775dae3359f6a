import { Effect } from "effect"
import { Command } from "effect/cli"
import { CreateConnection } from "../../../Domain/Connection.ts"
import { adminApi } from "../../ApiClient.ts"
import { reportFailure } from "../../Failure.ts"
import { optionalFlag, repeatableFlag, requiredFlag } from "../../Flags.ts"
import { decodeFlags } from "../../Input.ts"
import { idArgument, printRecord } from "../../Lists.ts"
import { connectionDetail } from "./Columns.ts"

export const resources = repeatableFlag(
  "resource",
  "Limits calls to this resource, such as gsc:sc-domain:acme.com or ga4:123; repeatable",
  "<resource>"
)

export const share = Command.make(
  "share",
  {
    id: idArgument("connection"),
    label: requiredFlag("label", "Display name"),
    client: optionalFlag("client", "Client that gets the derived connection", "<client id>"),
    resources
  },
  Effect.fnUntraced(function*({ client, id, label, resources }) {
    const payload = yield* decodeFlags(CreateConnection, { parent_id: id, label, client_id: client, resources })
    const api = yield* adminApi
    yield* printRecord(connectionDetail, yield* api.managedConnections.create({ payload }))
  }, reportFailure)
).pipe(
  Command.withDescription("Share a connection with a client: a derived connection with its own resources"),
  Command.withExamples([{
    command: "oa connection share con_… --client cli_… --label Acme --resource gsc:sc-domain:acme.com",
    description: "One site of an agency's sign-in"
  }])
)
