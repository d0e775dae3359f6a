import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"
import { ManagerRequired } from "../../Api/Authentication.ts"
import { InvalidInput } from "../../Api/Errors.ts"
import { group, served } from "../../Api/Group.ts"
import { Cursor, PageRequest } from "../../Domain/Page.ts"
import { UndecryptedCredentials } from "../../Domain/ReEncryption.ts"

export const RotatedBatch = Schema.Struct({
  key_id: Schema.String.annotate({ description: "The first key of `ENCRYPTION_KEYS`, which encrypts." }),
  rotated: Schema.Int.annotate({
    description:
      "The number of credentials, stored responses, secrets of webhooks and keys of the log that this request re-encrypted."
  }),
  remaining: Schema.Int.annotate({
    description: "The number still encrypted with another key, with those in `failed`."
  }),
  failed: Schema.Array(UndecryptedCredentials).annotate({
    description: "The ids in this batch that could not be decrypted, with the reason."
  }),
  cursor: Cursor
}).annotate({ identifier: "RotatedBatch" })
export type RotatedBatch = typeof RotatedBatch.Type

export class EncryptionGroup extends group("encryption", { title: "Management: encryption", listener: "admin" })
  .add(
    HttpApiEndpoint.post("rotate", "/rotate", {
      query: PageRequest,
      success: RotatedBatch,
      error: InvalidInput.schema
    }).annotateMerge(OpenApi.annotations({
      identifier: "rotateEncryption",
      summary:
        "Re-encrypt one batch of stored credentials, stored responses and secrets of webhooks with the first key",
      description:
        "Calls continue meanwhile. Cached responses that another key encrypts are dropped. Repeat with the returned `cursor` until it is `null`. After an interruption, start again."
    }))
  )
  .middleware(ManagerRequired)
  .prefix("/admin/v1/encryption")
{}

export class EncryptionApi extends served([EncryptionGroup]) {}
