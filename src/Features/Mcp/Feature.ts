import { Layer } from "effect"
import { Capacity } from "../../Capacity/Capacity.ts"
import type { Feature } from "../Feature.ts"
import { McpGroup } from "./Contract.ts"
import { McpRoutes } from "./McpRoutes.ts"

/** Agents call the operations as tools. */
export const mcp: Feature = {
  name: "mcp",
  layer: McpRoutes.pipe(Layer.provide(Capacity.layer)),
  owns: { groups: [McpGroup] }
}
