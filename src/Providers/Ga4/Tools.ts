import type { SmartTool } from "../Provider.ts"
import { ga4ListProperties } from "./Tools/ListProperties.ts"
import { ga4TrafficByPage } from "./Tools/TrafficByPage.ts"

export const ga4Tools: ReadonlyArray<SmartTool> = [ga4TrafficByPage, ga4ListProperties]
