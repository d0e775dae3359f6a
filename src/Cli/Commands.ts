import { Effect } from "effect"
import { Command } from "effect/cli"
import * as OpenApi from "effect/http-api/OpenApi"
import { stepFields } from "../Api/Calls/CallApi.ts"
import { featureCommands } from "../Features/Commands.ts"
import { groups } from "../Features/Contracts.ts"
import { audit } from "./Commands/Audit.ts"
import { call } from "./Commands/Call.ts"
import { client } from "./Commands/Client.ts"
import { connection } from "./Commands/Connection/Connection.ts"
import { doctor } from "./Commands/Doctor/Doctor.ts"
import { key } from "./Commands/Key.ts"
import { logs } from "./Commands/Logs/Logs.ts"
import { member } from "./Commands/Member/Member.ts"
import { open } from "./Commands/Open.ts"
import { providers } from "./Commands/Providers.ts"
import { printText } from "./Output.ts"

const openApiDocument = Effect.promise(async () => {
  const [{ providers }, { Catalog }, { documentedApi }] = await Promise.all([
    import("../Registrations.ts"),
    import("../Providers/Catalog/Catalog.ts"),
    import("../Http/OpenApi/DocumentedApi.ts")
  ])
  return Effect.map(documentedApi(groups, Catalog.make(providers), new Set(stepFields)), (api) => OpenApi.fromApi(api))
}).pipe(Effect.flatten)

const printDocument = Effect.flatMap(openApiDocument, (document) => printText(JSON.stringify(document, null, 2)))

const openapi = Command.make("openapi", {}, () => printDocument).pipe(
  Command.withDescription("Print the OpenAPI document of this version; needs no server"),
  Command.withExamples([{ command: "oa openapi > openapi.json" }])
)

export const commands = [
  {
    group: "WITH THE ADMIN TOKEN",
    commands: [client, member, key, connection, audit, ...featureCommands.admin]
  },
  {
    group: "WITH AN API KEY",
    commands: [call, logs, ...featureCommands.key, providers]
  },
  { group: "WITH THE SETTINGS OF THE SERVICE", commands: featureCommands.settings },
  { group: "WITHOUT CREDENTIALS", commands: [open, doctor, ...featureCommands.none, openapi] }
] as const
