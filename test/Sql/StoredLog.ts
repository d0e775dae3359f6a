import { CallLog } from "../../src/Calls/Log/CallLog.ts"

/** Counts no statistics in the background. */
export const StoredLog = CallLog.layerNoDeps
