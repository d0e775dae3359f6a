import type { Dimension } from "./Dimension.ts"
import { dimensions } from "./Dimensions.ts"
import { type Metric, metrics } from "./Metrics.ts"

export const metadataOf = (id: string) => ({
  name: `properties/${id}/metadata`,
  dimensions: dimensions
    .filter((dimension) => dimension.reports !== "realtime" && (id !== "0" || dimension.custom === undefined))
    .map(dimensionMetadata),
  metrics: metrics.map(metricMetadata)
})

const dimensionMetadata = ({ apiName, category, custom, deprecatedName, description, uiName }: Dimension) => ({
  apiName,
  uiName,
  description,
  ...(deprecatedName === undefined ? {} : { deprecatedApiNames: [deprecatedName] }),
  ...(custom === undefined ? {} : { customDefinition: true }),
  category
})

const metricMetadata = (
  { apiName, blocked, category, deprecatedName, description, expression, type, uiName }: Metric
) => ({
  apiName,
  uiName,
  description,
  ...(deprecatedName === undefined ? {} : { deprecatedApiNames: [deprecatedName] }),
  type,
  ...(expression === undefined ? {} : { expression }),
  ...(blocked === undefined ? {} : { blockedReasons: [blocked] }),
  category
})
