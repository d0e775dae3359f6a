import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { LongResponse } from "../../../src/Calls/Response/LongResponse.ts"
import { BackpressuredResponse } from "../../../src/Http/Server/Listeners/BackpressuredResponse.ts"

describe("A long response", () => {
  it.effect.each([true, false])(
    "is freed when its client has read it and nothing else reads it: %s",
    (isLastUse) =>
      Effect.promise(async () => {
        const data = Buffer.alloc(5_000_000, "x")
        const body = new LongResponse("{}", data, isLastUse)
        const { text } = body
        const server = createServer({ ServerResponse: BackpressuredResponse }, (_, response) => response.end(body))
        await once(server.listen(0, "127.0.0.1"), "listening")
        const { port } = server.address() as AddressInfo
        const received = await (await fetch(`http://127.0.0.1:${port}`)).text()
        assert.isTrue(received === text)
        server.close()
        await once(server, "close")
        assert.strictEqual(data.length, isLastUse ? 0 : 5_000_000)
      })
  )
})
