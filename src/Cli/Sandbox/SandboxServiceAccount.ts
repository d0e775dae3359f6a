import { Effect, FileSystem } from "effect"
import { generateKeyPair } from "node:crypto"
import { promisify } from "node:util"
import { DataDir } from "../../Sql/DataDir.ts"

const makeKeyFile = Effect.promise(async () => {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 })
  return JSON.stringify(
    {
      type: "service_account",
      project_id: "sandbox",
      private_key_id: "sandbox",
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
      client_email: "robot@sandbox.iam.gserviceaccount.com",
      token_uri: "https://oauth2.googleapis.com/token"
    },
    null,
    2
  )
})

export const sandboxServiceAccount = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* (yield* DataDir).path("sandbox-service-account.json")
  if (!(yield* fs.exists(path))) yield* fs.writeFileString(path, `${yield* makeKeyFile}\n`, { mode: 0o600 })
  return path
})
