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

const dimensionMetadata = ({ custom, ...dimension }: Dimension) => ({
  ...fieldMetadata(dimension),
  ...(custom === undefined ? {} : { customDefinition: true })
})

const metricMetadata = ({ blocked, expression, type, ...metric }: Metric) => ({
  ...fieldMetadata(metric),
  type,
  ...(expression === undefined ? {} : { expression }),
  ...(blocked === undefined ? {} : { blockedReasons: [blocked] })
})

const fieldMetadata = (
  { apiName, category, deprecatedName, description, uiName }: Omit<Dimension | Metric, "value">
) => ({
  apiName,
  uiName,
  description,
  ...(deprecatedName === undefined ? {} : { deprecatedApiNames: [deprecatedName] }),
  category
})
