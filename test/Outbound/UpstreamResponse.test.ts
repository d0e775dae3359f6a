import { assert, describe, it } from "@effect/vitest"
import { toTransportError } from "../../src/Outbound/UpstreamResponse.ts"

const failed = (code: string) => Object.assign(new Error("with a token in it"), { code })

describe("a transport error", () => {
  const table: ReadonlyArray<readonly [code: string, says: string, connectFailed: boolean]> = [
    ["ENOTFOUND", "does not resolve", true],
    ["ECONNREFUSED", "could not be connected to", true],
    ["UND_ERR_CONNECT_TIMEOUT", "in time", true],
    ["CERT_HAS_EXPIRED", "TLS failed", false],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "TLS failed", false],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "TLS failed", false],
    ["ECONNRESET", "closed the connection", false],
    ["HPE_INVALID_CONSTANT", "valid HTTP", false],
    ["EWHATEVER", "could not be reached", false]
  ]
  for (const [code, says, connectFailed] of table) {
    it(`${code}: ${says}`, () => {
      const error = toTransportError(failed(code), "example.com")
      assert.include(error.message, says)
      assert.include(error.message, `example.com`)
      assert.include(error.message, `(${code})`)
      assert.notInclude(error.message, "token")
      assert.strictEqual(error.connectFailed, connectFailed)
    })
  }
})
