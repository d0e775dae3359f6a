import { Layer } from "effect"
import { AgentTools } from "../Calls/AgentTools/AgentTools.ts"
import { MeteredCalls } from "../Calls/MeteredCalls.ts"
import { RateLimit } from "../Capacity/RateLimit.ts"
import { ManagementServices } from "../Management/ManagementServices.ts"
import { AnonymousBodies } from "./Server/AnonymousBodies.ts"

/** The services behind the handlers, and their work in the background. */
export const HttpServices = Layer.mergeAll(
  AgentTools.layer,
  AnonymousBodies.layer,
  ManagementServices,
  MeteredCalls,
  RateLimit.layer
)
