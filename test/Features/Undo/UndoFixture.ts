import { Effect } from "effect"
import { Sandbox } from "../../../src/Sandbox/Sandbox.ts"
import { at } from "../../Service/SandboxServer.ts"
import type { Answer } from "../../support/Answer.ts"
import { seed, TestServer } from "../../support/TestServer.ts"

/** A key whose writes can be undone, and a plain one of the same member. */
export const undoing = Effect.gen(function*() {
  const { admin, request } = yield* TestServer
  const { connections: [first, ...others] } = yield* Sandbox
  const { connect, member } = yield* seed(first)
  for (const connection of others) yield* connect(connection)
  const payload = { member_id: member.id, name: "undoes", access: "read_write" as const }
  const { key } = yield* admin.keys.create({ payload: { ...payload, undo: true } })
  const { key: plain } = yield* admin.keys.create({ payload })
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
