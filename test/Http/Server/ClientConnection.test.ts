import { assert, describe, it } from "@effect/vitest"
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { ClientConnection } from "../../../src/Http/Server/Listeners/ClientConnection.ts"

const sending = (size: number) => {
  const socket = { bytesRead: 100, bytesWritten: size, writableLength: size }
  const connection = new ClientConnection(socket, 0)
  const request = new IncomingMessage(new Socket())
  request.complete = true
  connection.begin(new ServerResponse(request), 0)
  const read = (bytes: number) => {
    socket.writableLength = size - bytes
  }
  return { connection, socket, read }
}

const seconds = 1000

describe("A response that waits for its client", () => {
  it("may take half a minute, and then 16 kB a second on average", () => {
    const { connection, read } = sending(10_000_000)
    assert.isFalse(connection.check(0))
    assert.isFalse(connection.check(30 * seconds))
    read(16_384 * 100)
    assert.isFalse(connection.check(129 * seconds))
    assert.isTrue(connection.check(131 * seconds))
  })

  it("has its half minute again after the client has read all", () => {
    const { connection, read } = sending(10_000_000)
    connection.check(0)
    read(10_000_000)
    assert.isFalse(connection.check(40 * seconds))
    read(0)
    assert.isFalse(connection.check(60 * seconds))
    assert.isFalse(connection.check(89 * seconds))
    assert.isTrue(connection.check(91 * seconds))
  })

  it("has the time when the client last read or sent a byte", () => {
    const { connection, read, socket } = sending(10_000_000)
    connection.check(1 * seconds)
    connection.check(2 * seconds)
    assert.strictEqual(connection.movedAt, 0)
    read(1)
    connection.check(3 * seconds)
    assert.strictEqual(connection.movedAt, 3 * seconds)
    socket.bytesRead++
    connection.check(4 * seconds)
    assert.strictEqual(connection.movedAt, 4 * seconds)
    assert.isTrue(connection.waitsForClient)
    read(10_000_000)
    assert.isFalse(connection.waitsForClient)
  })
})
