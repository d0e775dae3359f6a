import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../../Api/CoreApi.ts"
import { MissingKeys } from "../../../Management/MissingKeys.ts"
import { Vault } from "../../../Secrets/Vault.ts"
import { isSandboxed } from "../../../Settings.ts"
import { Served } from "../../Served.ts"

export const StatusHandlers = HttpApiBuilder.group(
  CoreApi,
  "status",
  Effect.fn(function*(handlers) {
    const { keyId } = yield* Vault
    const missingKeys = yield* MissingKeys
    const { features } = yield* Served
    const provider_mode = (yield* isSandboxed) ? "sandbox" : "live"

    return handlers.handle("read", () =>
      Effect.map(missingKeys.current, (missing) => ({
        provider_mode,
        features,
        encryption: { key_id: keyId, missing }
      })))
  })
)
