import { Layer } from "effect"
import { type Feature, FeatureCall, FeatureSend } from "../Feature.ts"
import { undoSend } from "./KeepWrites.ts"
import { undoTool } from "./Tools.ts"
import { UndoRecords } from "./UndoRecords.ts"
import { undoStep } from "./UndoStep.ts"

/** Keeps what a write has replaced, and writes it back. */
export const undo: Feature = {
  name: "undo",
  needs: ["preview"],
  layer: undoTool,
  call: Layer.effect(FeatureCall, undoStep).pipe(Layer.provide(UndoRecords.layer)),
  send: Layer.succeed(FeatureSend, undoSend)
}
