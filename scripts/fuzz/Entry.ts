import { targets } from "./Targets.ts"

const target = await targets[process.env["FUZZ_TARGET"] ?? ""]?.()

/** Called by Jazzer with each input. */
export const fuzz = target?.run
