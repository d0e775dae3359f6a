import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { strict } from "../../../src/Domain/Validation/Validation.ts"
import { ServiceAccountKey } from "../../../src/Providers/OAuth/ServiceAccountKey.ts"
import { keyFile } from "../../support/ServiceAccountFile.ts"

const decode = Schema.decodeUnknownSync(ServiceAccountKey, strict)

describe("a service account's key file", () => {
  it("is read and written back unchanged", () => {
    assert.deepStrictEqual(Schema.encodeSync(ServiceAccountKey)(decode(keyFile)), keyFile)
  })

  it("is printed without its key", () => {
    assert.notInclude(JSON.stringify(decode(keyFile)), "PRIVATE")
  })

  it("has Google's token endpoint if it names none", () => {
    const { token_uri: _, ...without } = keyFile
    assert.strictEqual(decode(without).token_uri, "https://oauth2.googleapis.com/token")
  })

  for (const changes of [{ type: "authorized_user" }, { client_email: "" }, { private_key: undefined }]) {
    it(`is refused with ${JSON.stringify(changes)}`, () => {
      assert.throws(() => decode({ ...keyFile, ...changes }))
    })
  }
})
