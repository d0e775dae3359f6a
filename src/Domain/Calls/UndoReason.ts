import { Schema } from "effect"

/** Why a write cannot be undone. */
export const UnkeptReason = Schema.Literals(["not_kept", "no_inverse", "too_large"]).annotate({
  description: "`not_kept`: the key or agent does not keep what its writes change, or it is no longer kept. " +
    "`no_inverse`: nothing restores it exactly. `too_large`: it changes more than is kept."
})
export type UnkeptReason = typeof UnkeptReason.Type

/** Why an undo is refused. */
export const UndoReason = Schema.Union([UnkeptReason, Schema.Literals(["expired", "already_undone"])])
export type UndoReason = typeof UndoReason.Type
