import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { Feature } from "../Feature.ts"
import { EncryptionApi, EncryptionGroup } from "./Contract.ts"
import { EncryptionRotation } from "./EncryptionRotation.ts"
import { EncryptionHandlers } from "./Handlers.ts"

/** Stored data is encrypted anew with the first key, while calls go on. */
export const rotation: Feature = {
  name: "rotation",
  layer: HttpApiBuilder.layer(EncryptionApi).pipe(
    Layer.provide(EncryptionHandlers),
    Layer.provide(EncryptionRotation.layer)
  ),
  owns: { groups: [EncryptionGroup] }
}
