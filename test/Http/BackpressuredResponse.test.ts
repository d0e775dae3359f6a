import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { BackpressuredResponse } from "../../src/Http/BackpressuredResponse.ts"

describe("A long response", () => {
  it.effect("is over when its client goes away in the middle", () =>
    Effect.promise(async () => {
      let ended = 0
      const isEnded = Promise.withResolvers<void>()
      const server = createServer({ ServerResponse: BackpressuredResponse }, (_, response) => {
        response.end(Buffer.alloc(50_000_000), () => {
          ended++
          isEnded.resolve()
        })
      }).listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address() as AddressInfo
      const socket = connect(address.port, "127.0.0.1")
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      await once(socket, "data")
      assert.strictEqual(ended, 0)
      socket.destroy()
      await isEnded.promise
      assert.strictEqual(ended, 1)
      server.close()
    }))
})
