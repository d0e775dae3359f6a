import { datasets } from "./Datasets/Feature.ts"
import type { Feature } from "./Feature.ts"
import { revocation } from "./Revocation/Feature.ts"

/** Every feature of the service. Their order is the order of the checks of a call. */
export const features: ReadonlyArray<Feature> = [revocation, datasets]
