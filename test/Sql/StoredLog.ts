import { Layer } from "effect"
import { CallLog } from "../../src/Calls/Log/CallLog.ts"
import { LogBodies } from "../../src/Calls/Log/Storage/LogBodies.ts"

/** Counts no statistics in the background. */
export const StoredLog = CallLog.layerNoDeps.pipe(Layer.provide(LogBodies.layer))
