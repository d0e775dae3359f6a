import { Context, Schema } from "effect"
import { KeyId, MemberId } from "../Ids.ts"

export const Actor = Schema.Struct({
  type: Schema.Literals(["member", "key", "token", "system"]).annotate({
    description:
      "`member`: a signed-in member. `key`: an API key with `manage`. `token`: the admin token. `system`: the service " +
      "itself."
  }),
  member_id: Schema.NullOr(MemberId).annotate({ description: "For `key`, the key's member." }),
  key_id: Schema.optionalKey(KeyId)
})
export type Actor = typeof Actor.Type

export const tokenActor: Actor = { type: "token", member_id: null }

export const systemActor: Actor = { type: "system", member_id: null }

export const memberActor = (member_id: MemberId): Actor => ({ type: "member", member_id })

export const keyActor = (member_id: MemberId, key_id: KeyId): Actor => ({ type: "key", member_id, key_id })

export const CurrentActor = Context.Reference<Actor>("openaccounts/Domain/Request/CurrentActor", {
  defaultValue: () => systemActor
})
