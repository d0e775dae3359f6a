import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../../Api/Api.ts"
import { MissingKeys } from "../../../Management/MissingKeys.ts"
import { Vault } from "../../../Secrets/Vault.ts"
import { isSandboxed } from "../../../Settings.ts"

export const StatusHandlers = HttpApiBuilder.group(
  Api,
  "status",
  Effect.fn(function*(handlers) {
    const { keyId } = yield* Vault
    const missingKeys = yield* MissingKeys
    const provider_mode = (yield* isSandboxed) ? "sandbox" : "live"

    return handlers.handle("read", () =>
      Effect.map(missingKeys.current, (missing) => ({
        provider_mode,
        encryption: { key_id: keyId, missing }
      })))
  })
)
