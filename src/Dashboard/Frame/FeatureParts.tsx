import type { PartPlace } from "./FeaturePages.ts"
import { servedParts } from "./ServedPages.ts"

/** What features add to a page of the core. */
export const FeatureParts = ({ id = "", place }: { readonly place: PartPlace; readonly id?: string }) =>
  servedParts.map(({ part: Part, place: itsPlace }, index) => itsPlace === place && <Part key={index} id={id} />)
