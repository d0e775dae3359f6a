import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"
import { ManagerRequired } from "../../Api/Authentication.ts"
import { InvalidInput } from "../../Api/Errors.ts"
import { group, served } from "../../Api/Group.ts"
import { operation } from "../../Api/Responses.ts"
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

export const OtherKey = Schema.Struct({
  key_id: Schema.NullOr(Schema.String).annotate({
    description: "`null` for bodies of calls that an earlier version stored unencrypted."
  }),
  configured: Schema.Boolean.annotate({
    description: "Whether the service has the key. Without it, what the key encrypts cannot be re-encrypted."
  }),
  connections: Schema.Int.annotate({ description: "The number of connections whose credentials the key encrypts." }),
  other_data: Schema.Int.annotate({
    description: "The number of stored responses, secrets of webhooks, keys of the log and other entries."
  })
}).annotate({ identifier: "OtherEncryptionKey" })
export type OtherKey = typeof OtherKey.Type

export const EncryptionKeys = Schema.Struct({
  key_id: Schema.String.annotate({ description: "The first key of `ENCRYPTION_KEYS`, which encrypts." }),
  others: Schema.Array(OtherKey).annotate({
    description: "Every other key that is configured or encrypts stored data, with what a rotation has yet to do."
  })
}).annotate({ identifier: "EncryptionKeys" })
export type EncryptionKeys = typeof EncryptionKeys.Type

export class EncryptionGroup extends group("encryption", { title: "Management: encryption", listener: "admin" })
  .add(
    HttpApiEndpoint.get("read", "/", { success: EncryptionKeys }).annotateMerge(
      operation("readEncryption", "Count what other keys than the first encrypt, which a rotation would re-encrypt")
    ),
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
