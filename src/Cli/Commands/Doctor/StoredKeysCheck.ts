import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { encryptedConnections } from "../../../Connections/BoundCredentials.ts"
import { countConnections } from "../../../Connections/ConnectionRepo.ts"
import type { MissingKey } from "../../../Domain/ReEncryption.ts"
import { describeMissingKey } from "../../../Management/MissingKeys.ts"
import { unreadableRows } from "../../../Secrets/ReEncryptRows.ts"
import { Vault } from "../../../Secrets/Vault.ts"
import type { Finding } from "../../../Settings.ts"
import { ok, problem, skipped } from "./Check.ts"
import type { Running } from "./Running.ts"
import { configuredVault } from "./SettingsChecks.ts"

const readable = ok("the encryption keys fit the stored connections")

const unreadable = (missing: ReadonlyArray<MissingKey>): Finding =>
  missing.length === 0 ? readable : problem([
    ...missing.map(describeMissingKey),
    "Put the keys back into ENCRYPTION_KEYS, or reconnect the connections."
  ].join("\n"))

export const storedKeysOfService = ({ ready, status }: Running): Finding => {
  if (Option.isSome(status)) return unreadable(status.value.encryption.missing)
  if (Option.isNone(ready)) return skipped("the service does not say")
  return ready.value.degraded?.includes("encryption_keys") === true
    ? problem("connections need an encryption key that is missing. The log of the service names it")
    : readable
}

/** Checks a stopped service. */
export const storedKeys = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  if ((yield* countConnections) === 0) return ok("no connection is stored yet")
  const vault = yield* configuredVault
  const found = yield* Effect.flatten(
    Effect.provideService(unreadableRows(encryptedConnections(sql, vault)), Vault, vault)
  )
  return unreadable(found.map(({ count, ...key }) => ({ ...key, connections: count, other_data: 0 })))
})
