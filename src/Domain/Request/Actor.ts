import { Context, Schema } from "effect"
import { MemberId } from "../Ids.ts"

export const Actor = Schema.Struct({
  type: Schema.Literals(["member", "token", "system"]).annotate({
    description: "`member`: a signed-in member. `token`: the admin token. `system`: the service itself."
  }),
  member_id: Schema.NullOr(MemberId)
})
export type Actor = typeof Actor.Type

export const tokenActor: Actor = { type: "token", member_id: null }

export const systemActor: Actor = { type: "system", member_id: null }

export const memberActor = (member_id: MemberId): Actor => ({ type: "member", member_id })

export const CurrentActor = Context.Reference<Actor>("openaccounts/Domain/CurrentActor", {
  defaultValue: () => systemActor
})
