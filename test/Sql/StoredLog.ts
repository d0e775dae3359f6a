import { Layer } from "effect"
import { CallLog } from "../../src/Calls/Log/CallLog.ts"
import { CallWrites } from "../../src/Calls/Storage/CallWrites.ts"
import { ResponseDeduplication } from "../../src/Calls/Storage/ResponseDeduplication.ts"

/** Counts no statistics in the background. */
export const StoredLog = CallLog.layerNoDeps.pipe(Layer.provide([CallWrites.layer, ResponseDeduplication.layer]))
