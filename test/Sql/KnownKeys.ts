import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { Auth } from "../../src/Auth/Auth.ts"
import type { Principal } from "../../src/Domain/Access/Principal.ts"
import { ClientId, KeyId, MemberId } from "../../src/Domain/Ids.ts"
import { newId } from "../../src/Domain/NewId.ts"
import { Clients } from "../../src/Management/Clients.ts"
import { Keys } from "../../src/Management/Keys.ts"
import { Members } from "../../src/Management/Members.ts"
import { generateApiKey } from "../../src/Secrets/IssuedSecrets.ts"
import { fresh } from "./OtherInstance.ts"

let members = 0

export const newKey = Effect.gen(function*() {
  const client = yield* (yield* Clients).create("Acme")
  const member = yield* (yield* Members).create({ email: `ada-${++members}@example.com`, client_ids: [client.id] })
  const { key, ...stored } = yield* (yield* Keys).create({ member_id: member.id, name: "script" })
  return { client, member, stored, secret: Redacted.make(key) }
})

export const bearer = (token: Redacted.Redacted) => ({ type: "bearer", token }) as const

export const otherAuth = fresh(Auth, Auth.layer)

export const refuses = Effect.fnUntraced(function*(auth: Auth["Service"], token: Redacted.Redacted) {
  assert.strictEqual((yield* Effect.flip(auth.authenticate(bearer(token))))._tag, "Unauthenticated")
})

const plainKey = {
  via: "key",
  connectionIds: null,
  resources: null,
  writes: "allow",
  undo: false,
  budget: null,
  memberBudget: null,
  boundedAt: null,
  manage: [],
  manageAs: "admin"
} as const

interface KnownKey {
  readonly key: Redacted.Redacted
  readonly principal: Principal
}

export class KnownKeys extends Context.Service<KnownKeys, {
  readonly readOnly: KnownKey
  readonly readWrite: KnownKey
}>()("openaccounts/test/KnownKeys") {
  static readonly layer = Layer.effect(
    KnownKeys,
    Effect.gen(function*() {
      const { client, member, secret, stored } = yield* newKey
      const bot = yield* (yield* Keys).create({ member_id: member.id, name: "bot", access: "read_write" })
      const principal = { ...plainKey, memberId: member.id, clientIds: [client.id] }
      return {
        readOnly: { key: secret, principal: { ...principal, keyId: stored.id, access: "read_only" } },
        readWrite: { key: Redacted.make(bot.key), principal: { ...principal, keyId: bot.id, access: "read_write" } }
      }
    })
  )

  static readonly layerMemory = Layer.unwrap(Effect.gen(function*() {
    const knownKey = Effect.fnUntraced(function*(access: Principal["access"]) {
      return {
        key: generateApiKey(),
        principal: {
          ...plainKey,
          keyId: KeyId.make(yield* newId("key")),
          memberId: MemberId.make(yield* newId("mem")),
          access,
          clientIds: [ClientId.make(yield* newId("cli"))]
        }
      }
    })
    const keys = { readOnly: yield* knownKey("read_only"), readWrite: yield* knownKey("read_write") }
    return Layer.merge(Layer.succeed(KnownKeys, keys), Auth.layerMemory([keys.readOnly, keys.readWrite]))
  }))
}
