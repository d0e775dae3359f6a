import type { Module } from "../Rules.ts"

export const ga4: Module = {
  document: "analyticsdata-v1beta",
  roots: ["RunReportRequest", "RunRealtimeReportRequest"],
  output: "src/Providers/Ga4/Generated.ts",
  imports: [],
  rules: {}
}
