import { Effect } from "effect"
import { at, connectedMember } from "../../Service/SandboxServer.ts"
import type { Answer } from "../../support/Answer.ts"
import { keyFor, TestServer } from "../../support/TestServer.ts"

/** A key whose writes can be undone, and a plain one of the same member. */
export const undoing = Effect.gen(function*() {
  const { admin, request } = yield* TestServer
  const { member, readWrite: plain } = yield* connectedMember
  const key = yield* keyFor(member, { access: "read_write", undo: true })
  return {
    admin,
    key,
    member,
    plain,
    request,
    send: (body: object, by = key) => request("POST", "/v1/call", { key: by, body }),
    undo: (id: string, by = key) => request("POST", `/v1/calls/${id}/undo`, { key: by })
  }
})

export const errorOf = ({ json, status }: Answer) => [status, at(json, "error.code")]
