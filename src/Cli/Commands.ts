import { Command } from "effect/cli"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../Api/Api.ts"
import { audit } from "./Commands/Audit.ts"
import { call } from "./Commands/Call.ts"
import { client } from "./Commands/Client.ts"
import { connection } from "./Commands/Connection/Connection.ts"
import { doctor } from "./Commands/Doctor/Doctor.ts"
import { key } from "./Commands/Key.ts"
import { logs } from "./Commands/Logs/Logs.ts"
import { member } from "./Commands/Member.ts"
import { providers } from "./Commands/Providers.ts"
import { keys } from "./Commands/RotateEncryption.ts"
import { printText } from "./Output.ts"

const openapi = Command.make("openapi", {}, () => printText(JSON.stringify(OpenApi.fromApi(Api), null, 2))).pipe(
  Command.withDescription("Print the OpenAPI document of this version; needs no server"),
  Command.withExamples([{ command: "oa openapi > openapi.json" }])
)

export const commands = [
  { group: "WITH THE ADMIN TOKEN", commands: [client, member, key, connection, keys, audit] },
  { group: "WITH AN API KEY", commands: [call, logs, providers] },
  { group: "WITHOUT CREDENTIALS", commands: [doctor, openapi] }
] as const
