import { Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { LogBodies, plainBodies } from "../../Calls/Log/Storage/LogBodies.ts"
import { logKeySecrets } from "../../Calls/Log/Storage/LogKeys.ts"
import { signInSecrets } from "../../Connections/Connect/SignIns.ts"
import { connectionSecrets } from "../../Connections/ConnectionRepo.ts"
import type { ConnectionTokens } from "../../Connections/ConnectionTokens.ts"
import { EncryptedData } from "../../Secrets/EncryptedData.ts"
import type { StoredSecrets } from "../../Secrets/StoredSecrets.ts"
import type { Vault } from "../../Secrets/Vault.ts"

const secrets: ReadonlyArray<StoredSecrets<ConnectionTokens | LogBodies | SqlClient | Vault>> = [
  signInSecrets,
  connectionSecrets,
  logKeySecrets,
  plainBodies
]

export const storedSecrets = EncryptedData.layer(secrets).pipe(Layer.provide(LogBodies.layer))
