import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { LongResponse } from "../../../src/Calls/Results/LongResponse.ts"
import { BackpressuredResponse } from "../../../src/Http/Server/Listeners/BackpressuredResponse.ts"

const longResponse = (isLastUse: boolean) => {
  const data = Buffer.alloc(5_000_000, "x")
  return { data, response: new LongResponse("{}", data, isLastUse) }
}

const serve = async (body: unknown) => {
  const server = createServer({ ServerResponse: BackpressuredResponse }, (_, response) => response.end(body))
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address() as AddressInfo
  return { server, port: address.port }
}

describe("A long response", () => {
  it.effect.each([true, false])(
    "is freed when its client has read it and nothing else reads it: %s",
    (isLastUse) =>
      Effect.promise(async () => {
        const { data, response } = longResponse(isLastUse)
        const { text } = response
        const { port, server } = await serve(response)
        const received = await (await fetch(`http://127.0.0.1:${port}`)).text()
        assert.isTrue(received === text)
        server.close()
        await once(server, "close")
        assert.strictEqual(data.length, isLastUse ? 0 : 5_000_000)
      })
  )

  it.effect("ends when its client disconnects in the middle", () =>
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
