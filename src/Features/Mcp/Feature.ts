import { Layer } from "effect"
import { Capacity } from "../../Capacity/Capacity.ts"
import { ConnectMethods } from "../../Connections/Connect/ConnectMethods.ts"
import type { Feature } from "../Feature.ts"
import { McpGroup } from "./Contract.ts"
import { McpRoutes } from "./McpRoutes.ts"
import { requestConnectionTool } from "./RequestConnection.ts"

/** Agents call the operations as tools. */
export const mcp: Feature = {
  name: "mcp",
  layer: Layer.merge(McpRoutes, requestConnectionTool).pipe(Layer.provide([Capacity.layer, ConnectMethods.layer])),
  owns: { groups: [McpGroup] }
}
