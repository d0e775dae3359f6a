import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { strict } from "../../../src/Domain/Validation.ts"
import { ServiceAccountKey } from "../../../src/Providers/OAuth/ServiceAccountKey.ts"
import { keyFile } from "../../support/ServiceAccountFile.ts"

const decode = Schema.decodeUnknownSync(ServiceAccountKey, strict)

describe("a service account's key file", () => {
  it("is taken as it is, and given back as it was", () => {
    assert.deepStrictEqual(Schema.encodeSync(ServiceAccountKey)(decode(keyFile)), keyFile)
  })

  it("does not show its key", () => {
    assert.notInclude(JSON.stringify(decode(keyFile)), "PRIVATE")
  })

  it("has Google's token endpoint where it names none", () => {
    const { token_uri: _, ...without } = keyFile
    assert.strictEqual(decode(without).token_uri, "https://oauth2.googleapis.com/token")
  })

  for (const changes of [{ type: "authorized_user" }, { client_email: "" }, { private_key: undefined }]) {
    it(`is refused with ${JSON.stringify(changes)}`, () => {
      assert.throws(() => decode({ ...keyFile, ...changes }))
    })
  }
})
