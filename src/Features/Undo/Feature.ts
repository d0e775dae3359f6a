import { Layer } from "effect"
import { undoSend } from "../../Calls/Undo/KeepWrites.ts"
import { UndoRecords } from "../../Calls/Undo/UndoRecords.ts"
import { undoStep } from "../../Calls/Undo/UndoStep.ts"
import { type Feature, FeatureCall, FeatureSend } from "../Feature.ts"
import { undoTool } from "./Tools.ts"

/** Keeps what a write has replaced, and writes it back. */
export const undo: Feature = {
  name: "undo",
  needs: ["preview"],
  layer: undoTool,
  call: Layer.effect(FeatureCall, undoStep).pipe(Layer.provide(UndoRecords.layer)),
  send: Layer.succeed(FeatureSend, undoSend)
}
