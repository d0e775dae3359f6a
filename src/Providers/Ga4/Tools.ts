import type { SmartTool } from "../Provider.ts"
import { ga4ListProperties } from "./Tools/ListProperties.ts"
import { ga4TrafficByPage } from "./Tools/TrafficByPage.ts"

/** In the order of section 1 of the specification. */
export const ga4Tools: ReadonlyArray<SmartTool> = [ga4TrafficByPage, ga4ListProperties]
