import { Schema, Struct } from "effect"
import { Budget } from "./Budget.ts"
import { Resources } from "./Resource.ts"

const Writes = Schema.Literals(["allow", "ask"]).annotate({
  description: "With `ask`, nothing is written before the member or an admin has approved it in the dashboard."
})
const Undo = Schema.Boolean.annotate({
  description: "Keeps what a write to cells or texts changes for 72 hours, so that it can be undone."
})

/** What a key or a grant allows the calls with it. */
export const Rights = Schema.Struct({ resources: Resources, writes: Writes, undo: Undo, budget: Budget })
export type Rights = typeof Rights.Type

/** The fields of a change, which leaves out what stays. */
export const changedRightsFields = Struct.map(Rights.fields, Schema.optionalKey)

export const newKeyRights: Rights = { resources: null, writes: "allow", undo: false, budget: null }

/** Leaves out the other fields of a key or a grant. */
export const rightsOf = ({ budget, resources, undo, writes }: Rights): Rights => ({ resources, writes, undo, budget })
