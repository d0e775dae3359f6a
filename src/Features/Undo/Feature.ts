import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { type Feature, FeatureCall, FeatureSend } from "../Feature.ts"
import { UndoApi, UndoGroup } from "./Contract.ts"
import { UndoHandlers } from "./Handlers.ts"
import { undoTool } from "./Tools.ts"
import { undoSend } from "./UndoableWrites.ts"
import { UndoRecords, undoSecrets } from "./UndoRecords.ts"
import { undoStep } from "./UndoStep.ts"

/** Keeps what a write has replaced, and writes it back. */
export const undo: Feature = {
  name: "undo",
  needs: ["preview"],
  layer: Layer.merge(HttpApiBuilder.layer(UndoApi).pipe(Layer.provide(UndoHandlers)), undoTool),
  call: Layer.effect(FeatureCall, undoStep).pipe(Layer.provide(UndoRecords.layer)),
  send: Layer.succeed(FeatureSend, undoSend),
  owns: { groups: [UndoGroup], secrets: [undoSecrets] }
}
