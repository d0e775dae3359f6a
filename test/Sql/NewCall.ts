import { Effect } from "effect"
import { CallResponse } from "../../src/Calls/Response/CallResponse.ts"
import { redactCall } from "../../src/Calls/Response/RedactCall.ts"
import type { KeyPrincipal, Viewer } from "../../src/Domain/Access/Principal.ts"
import type { CallEntry } from "../../src/Domain/Calls/Call.ts"
import { CallId, ClientId, ConnectionId, KeyId, MemberId } from "../../src/Domain/Ids.ts"
import { JsonText } from "../../src/Domain/Json/JsonText.ts"
import { newId } from "../../src/Domain/NewId.ts"
import { plainCall } from "../support/PlainCall.ts"

export const newParty = Effect.gen(function*() {
  const client_id = ClientId.make(yield* newId("cli"))
  const member_id = MemberId.make(yield* newId("mem"))
  const key_id = KeyId.make(yield* newId("key"))
  const principal: KeyPrincipal = {
    via: "key",
    keyId: key_id,
    memberId: member_id,
    access: "read_write",
    clientIds: null,
    connectionIds: null,
    resources: null,
    manage: [],
    manageAs: "member"
  }
  return {
    client_id,
    connection_id: ConnectionId.make(yield* newId("con")),
    member_id,
    key_id,
    principal,
    viewer: { memberId: member_id, clientIds: [client_id], connectionIds: null } satisfies Viewer
  }
})
type Party = Effect.Success<typeof newParty>

export const newCall = Effect.fnUntraced(function*(party: Party, more: Partial<CallEntry> = {}) {
  const { client_id, connection_id, key_id, member_id } = party
  return {
    id: CallId.make(yield* newId("call")),
    ...plainCall,
    latency_ms: 12.345,
    cost_usd: 0.5,
    client_id,
    connection_id,
    key_id,
    member_id,
    via: "key",
    request: "{\"provider\":\"gsc\"}",
    response: "{\"data\":{}}",
    ...more
  } satisfies CallEntry
})

export const newRead = Effect.fnUntraced(function*(party: Party, data: JsonText, more: Partial<CallEntry> = {}) {
  const call = yield* newCall(party, more)
  return { ...call, response: new CallResponse({ call_id: call.id }, data).text }
})

export const report = (more: object = {}) => JsonText.stringify({ rows: "rows ".repeat(200), ...more })

export const redacted = (call: CallEntry) => redactCall(call, 2000, () => null)
