import { call } from "./Call.ts"
import { client } from "./Client.ts"
import { connection } from "./Connection.ts"
import { doctor } from "./Doctor.ts"
import { key } from "./Key.ts"
import { logs } from "./Logs.ts"
import { member } from "./Member.ts"
import { openapi } from "./Openapi.ts"
import { providers } from "./Providers.ts"
import { keys } from "./RotateEncryption.ts"

/** The commands that work beside a running server. */
export const commands = [
  { group: "WITH THE ADMIN TOKEN", commands: [client, member, key, connection, keys] },
  { group: "WITH AN API KEY", commands: [call, logs, providers] },
  { group: "WITH NEITHER", commands: [doctor, openapi] }
] as const
