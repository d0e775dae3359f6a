import type { Feature } from "../Feature.ts"
import { HealthWatch } from "./HealthWatch.ts"

/** Says which connections will break, before a call fails. */
export const health: Feature = { name: "health", layer: HealthWatch.layer }
